/** The page's colours. Text on or in the accent colour is readable whichever colour an organisation chooses. */
interface Accent {
  accent: string
  onAccent: string
  /** The accent colour for text on the light and on the dark surface. */
  textOnLight: string
  textOnDark: string
}

export const defaultAccent = '#2f5bd0'
export const lightSurface = '#ffffff'
export const darkSurface = '#181c21'
/** The colours of the browser's own bars; the stylesheet has the same values. */
export const lightGround = '#f5f6f8'
export const darkGround = '#0e1114'

const minContrast = 4.5
const white = '#ffffff'
const black = '#000000'
const steps = 20

type Rgb = readonly [red: number, green: number, blue: number]

const toRgb = (hex: string): Rgb => [
  Number.parseInt(hex.slice(1, 3), 16),
  Number.parseInt(hex.slice(3, 5), 16),
  Number.parseInt(hex.slice(5, 7), 16),
]

const toHex = (rgb: Rgb): string =>
  `#${rgb.map((part) => Math.round(part).toString(16).padStart(2, '0')).join('')}`

/** The relative luminance as defined by WCAG. */
function luminanceOf(hex: string): number {
  const [red, green, blue] = toRgb(hex).map((part) => {
    const share = part / 255
    return share <= 0.03928 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  }) as unknown as Rgb // mapping three components gives three
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

export function contrastOf(a: string, b: string): number {
  const [lighter = 0, darker = 0] = [luminanceOf(a), luminanceOf(b)].toSorted((x, y) => y - x)
  return (lighter + 0.05) / (darker + 0.05)
}

function mix(from: string, to: string, share: number): string {
  const target = toRgb(to)
  const mixed = toRgb(from).map((part, index) => part + ((target[index] ?? part) - part) * share)
  return toHex(mixed as unknown as Rgb) // mapping three components gives three
}

/** Mixes in only as much of `towards` as the minimum contrast requires. */
function ensureContrast(color: string, surface: string, towards: string): string {
  for (let step = 0; step <= steps; step++) {
    const candidate = mix(color, towards, step / steps)
    if (contrastOf(candidate, surface) >= minContrast) return candidate
  }
  return towards
}

export const accentOf = (color: string | null): Accent => {
  const accent = color ?? defaultAccent
  return {
    accent,
    onAccent: contrastOf(accent, white) >= contrastOf(accent, black) ? white : black,
    textOnLight: ensureContrast(accent, lightSurface, black),
    textOnDark: ensureContrast(accent, darkSurface, white),
  }
}
