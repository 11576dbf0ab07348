/** Finds elements the way a person names them: by role and accessible name. */
import { By } from "selenium-webdriver";

/** Elements that have a role without saying so. */
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
 * @param {string} name the whole accessible name: label, or text
 */
export function named(role, name) {
  const roles = [...(implied[role] ?? []), `@role='${role}'`].join(" or ");
  const text = literal(name);
  const labeled = `@id=//label[normalize-space(.)=${text}]/@for`;
  const names = `@aria-label=${text} or normalize-space(.)=${text} or @placeholder=${text} or ${labeled}`;
  return By.xpath(`//*[${roles}][${names}]`);
}

/** @param {string} text a part of what an element itself says */
export function withText(text) {
  return By.xpath(`//*[text()[contains(normalize-space(.), ${literal(text)})]]`);
}

/**
 * XPath has no escapes, so a text with both quotes is put together from pieces.
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
