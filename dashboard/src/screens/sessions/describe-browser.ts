/** The first match wins: Edge and Opera also identify as Chrome, and Chrome identifies as Safari. */
const browsers = [
  ['Edg/', 'Edge'],
  ['OPR/', 'Opera'],
  ['Firefox/', 'Firefox'],
  ['Chrome/', 'Chrome'],
  ['Safari/', 'Safari'],
] as const
const systems = [
  ['iPhone', 'iPhone'],
  ['iPad', 'iPad'],
  ['Android', 'Android'],
  ['Windows', 'Windows'],
  ['Mac OS', 'macOS'],
  ['Linux', 'Linux'],
] as const

export function describeBrowser(userAgent: string | null): string | undefined {
  const browser = browsers.find(([mark]) => userAgent?.includes(mark))?.[1]
  const system = systems.find(([mark]) => userAgent?.includes(mark))?.[1]
  return browser && system ? `${browser}, ${system}` : browser
}
