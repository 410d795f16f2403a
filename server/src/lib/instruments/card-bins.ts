import { readCsv } from '../text/read-csv.ts'

/** What the first digits of a card number reveal about it. */
interface CardIssuer {
  brand: string | null
  country: string | null
}

export interface CardBins {
  /** Looks at the first eight digits at most; the longest known prefix counts. */
  find(cardNumber: string): CardIssuer | undefined
}

export const noCardBins: CardBins = { find: () => undefined }

const rowsLimit = 2_000_000
const prefixPattern = /^\d{6,8}$/
const prefixLengths = [8, 7, 6]

/** `VISA` and `American Express` as `visa` and `american-express`, which is how cards are named elsewhere. */
const toBrand = (text: string): string => text.trim().toLowerCase().replaceAll(/\s+/g, '-')

/** A digit in front keeps prefixes of different lengths apart, and fits 32 bits. */
const keyOf = (prefix: string): number => Number(`1${prefix}`)

/**
 * Reads CSV with the columns `bin`, `brand` and `country`. A malformed line fails, because a partial table would route
 * wrongly without a trace. The table is stored as sorted numbers: such lists have hundreds of thousands of lines.
 */
export function readCardBins(text: string): CardBins {
  const issuers: CardIssuer[] = []
  const issuerIndex = new Map<string, number>()
  const rows = readCsv(text, rowsLimit).map((row, index) => {
    const { bin = '', brand, country } = row
    if (!prefixPattern.test(bin) || (country !== undefined && !/^[A-Z]{2}$/.test(country)))
      throw new Error(
        `line ${index + 2} of the card BINs needs a bin of 6 to 8 digits and a country in capitals`,
      )
    const issuer = { brand: brand === undefined ? null : toBrand(brand), country: country ?? null }
    const name = JSON.stringify(issuer)
    const known = issuerIndex.get(name) ?? issuers.push(issuer) - 1
    issuerIndex.set(name, known)
    return { key: keyOf(bin), known }
  })
  rows.sort((a, b) => a.key - b.key)
  const keys = Uint32Array.from(rows, ({ key }) => key)
  const values = Uint32Array.from(rows, ({ known }) => known)
  return {
    find(cardNumber) {
      for (const length of prefixLengths) {
        const index = positionOf(keys, keyOf(cardNumber.slice(0, length)))
        if (index !== undefined) return issuers[values[index] ?? -1]
      }
      return undefined
    },
  }
}

function positionOf(keys: Uint32Array, wanted: number): number | undefined {
  let [low, high] = [0, keys.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((keys[middle] ?? 0) < wanted) low = middle + 1
    else high = middle
  }
  return keys[low] === wanted ? low : undefined
}
