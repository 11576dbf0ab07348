/** Loads the interface again. A module of its own, because tests can't replace a window's location. */
export function reloadWindow(): void {
  location.reload();
}
