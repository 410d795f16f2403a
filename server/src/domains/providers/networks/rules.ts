/** Patterns of a network's name or code and the brand that callers know. The first match wins. */
const brands: readonly [RegExp, string][] = [
  [/AIRTEL ?TIGO|\bATL\b/, 'AIRTELTIGO'],
  [/M-?PESA|SAFARICOM|\bMPTILL\b/, 'MPESA'],
  [/TELECEL|VODAFONE|\bVOD\b/, 'TELECEL'],
  [/MTN/, 'MTN'],
  [/AIRTEL/, 'AIRTEL'],
  [/VODACOM/, 'VODACOM'],
  [/ORANGE/, 'ORANGE'],
  [/MOOV/, 'MOOV'],
  [/WAVE/, 'WAVE'],
  [/TIGO/, 'TIGO'],
  [/HALOTEL|HALOPESA/, 'HALOTEL'],
  [/ZAMTEL/, 'ZAMTEL'],
  [/\bTNM\b/, 'TNM'],
  [/\bFREE\b/, 'FREE'],
]

/**
 * Providers name one network differently (`MTN_MOMO_GHA`, `mtn`). One common name lets a caller choose a network
 * once and lets routing fall back to another provider.
 */
export function brandOf(name: string, code: string): string {
  const text = `${name} ${code}`.toUpperCase().replaceAll('_', ' ')
  return brands.find(([pattern]) => pattern.test(text))?.[1] ?? code.toUpperCase()
}
