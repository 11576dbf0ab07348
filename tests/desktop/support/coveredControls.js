/**
 * A script for the page: returns the visible controls that are covered by something else or extend beyond the window.
 * A control that is scrolled out of its container counts as invisible.
 */
export const coveredControls = `
  const controls = document.querySelectorAll("a, button, input, textarea, [role=option], [role=tab], .react-flow__node");
  const faults = [];
  for (const control of controls) {
    const { left, top, right, bottom, width, height } = control.getBoundingClientRect();
    if (width < 2 || height < 2 || !control.checkVisibility({ opacityProperty: true })) continue;
    const name = control.getAttribute("aria-label") || control.textContent.trim().slice(0, 40) || control.tagName;
    const [x, y] = [left + width / 2, top + height / 2];
    let clip;
    let scrolledAway = false;
    const clips = ".overflow-auto, .overflow-hidden, .react-flow";
    for (let around = control.closest(clips); around; around = around.parentElement?.closest(clips)) {
      clip = around.getBoundingClientRect();
      scrolledAway ||= x < clip.left || x > clip.right || y < clip.top || y > clip.bottom;
    }
    if (scrolledAway) continue;
    if (!clip && (left < -1 || top < -1 || right > innerWidth + 1 || bottom > innerHeight + 1)) {
      faults.push(name + " extends beyond the window");
      continue;
    }
    const there = document.elementFromPoint(x, y);
    if (there && !control.contains(there) && !there.contains(control))
      faults.push(name + " is covered by " + (there.getAttribute("aria-label") || there.className?.baseVal || there.className));
  }
  for (const row of document.querySelectorAll("header > div"))
    if (row.scrollWidth > row.clientWidth + 1) faults.push("a row of the header is wider than its container");
  if (document.documentElement.scrollWidth > innerWidth) faults.push("the page is wider than the window");
  return faults;
`;
