/** Finds elements by role and accessible name. */
import { By } from "selenium-webdriver";

/** Elements with an implicit role. */
const implied = {
  button: ["self::button"],
  checkbox: ["self::input[@type='checkbox']"],
  heading: ["self::h1", "self::h2", "self::h3", "self::h4"],
  link: ["self::a"],
  row: ["self::tr"],
  textbox: ["self::textarea", "self::input[not(@type) or @type='text' or @type='search']"],
};

/**
 * @param {string} role an ARIA role
 * @param {string} name the complete accessible name: label or text
 */
export function named(role, name) {
  const roles = [...(implied[role] ?? []), `@role='${role}'`].join(" or ");
  const text = literal(name);
  const labeled = `@id=//label[normalize-space(.)=${text}]/@for`;
  const names = `@aria-label=${text} or normalize-space(.)=${text} or @placeholder=${text} or ${labeled}`;
  return By.xpath(`//*[${roles}][${names}]`);
}

/** @param {string} text a part of an element's own text */
export function withText(text) {
  return By.xpath(`//*[text()[contains(normalize-space(.), ${literal(text)})]]`);
}

/**
 * XPath has no escapes, so a text with double quotes is concatenated from pieces.
 *
 * @param {string} text
 */
function literal(text) {
  if (!text.includes('"')) return `"${text}"`;
  return `concat(${text
    .split('"')
    .map((piece) => `"${piece}"`)
    .join(`, '"', `)})`;
}
