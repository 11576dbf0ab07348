/**
 * The columns of the table of runs. In a narrow table, those with `wideColumn` are hidden, and with
 * large text in a small window also those with `mediumColumn`.
 */
export const runColumns =
  "grid grid-cols-[--spacing(9)_--spacing(14)_minmax(0,1fr)_--spacing(32)_--spacing(22)] @min-[40rem]:grid-cols-[--spacing(9)_--spacing(14)_minmax(0,1fr)_--spacing(52)_--spacing(24)_--spacing(22)_--spacing(20)] @min-[66rem]:grid-cols-[--spacing(9)_--spacing(16)_minmax(0,1fr)_--spacing(56)_--spacing(32)_--spacing(26)_--spacing(24)_--spacing(22)_--spacing(36)]";

export const mediumColumn = "hidden @min-[40rem]:block";

export const wideColumn = "hidden @min-[66rem]:block";
