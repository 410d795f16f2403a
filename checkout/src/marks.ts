import { html, type Html } from './html.ts'

/**
 * Plain badges with a network's name. Logos are trademarks, but payers recognise the name and the usual colour. The
 * badges use SVG attributes, because the content security policy forbids inline styles.
 */
const colors: Readonly<Record<string, readonly [ground: string, ink: string]>> = {
  AIRTEL: ['#c8102e', '#fff'],
  AIRTELTIGO: ['#003a7d', '#fff'],
  FREE: ['#b3001b', '#fff'],
  HALOTEL: ['#f26b1d', '#000'],
  MOOV: ['#00569d', '#fff'],
  MOVITEL: ['#f26b1d', '#000'],
  MPESA: ['#1f7a1f', '#fff'],
  MTN: ['#ffcc00', '#000'],
  ORANGE: ['#ff7900', '#000'],
  TELECEL: ['#c8102e', '#fff'],
  TIGO: ['#00377b', '#fff'],
  TNM: ['#006b3f', '#fff'],
  VODACOM: ['#c8102e', '#fff'],
  WAVE: ['#0b5fa5', '#fff'],
  ZAMTEL: ['#00692c', '#fff'],
}
const neutral = ['#56606b', '#fff'] as const

const labelLength = 7
const letterWidth = 7
const margin = 6

/** The first word of the name is the brand: `MTN` in `MTN Mobile Money`. */
const labelOf = (name: string): string => (name.split(/\s/, 1)[0] ?? '').slice(0, labelLength)

/** Hidden from screen readers, because the name is always next to it. */
export function networkMark(brand: string, name: string): Html {
  const [ground, ink] = colors[brand] ?? neutral
  const label = labelOf(name)
  const width = label.length * letterWidth + 2 * margin
  return html`<svg
    class="badge"
    viewBox="0 0 ${width} 20"
    width="${width}"
    height="20"
    aria-hidden="true"
    focusable="false"
  >
    <rect width="${width}" height="20" rx="5" fill="${ground}" />
    <text x="${width / 2}" y="14" text-anchor="middle" fill="${ink}">${label}</text>
  </svg>`
}
