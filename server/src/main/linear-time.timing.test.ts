import { expect, it } from 'vitest'
import { readModulusTables } from '../domains/parties/bank-validation/check-modulus.ts'
import { cpuMsOf } from '../../test/processes/cpu-time.ts'
import { readSignature } from '../connectors/kit/http-signature.ts'
import { marketsOf } from '../connectors/kit/markets.ts'
import { reasonIn } from '../connectors/kit/reasons.ts'
import { inquiryOf } from '../connectors/paystack/mapping.ts'
import { yellowcardCredentials } from '../connectors/yellowcard/credentials.ts'
import { hasCardNumber } from '../lib/instruments/card-number.ts'
import { canonicalDecimal, parseJson } from '../lib/text/json.ts'
import { readCsv } from '../lib/text/read-csv.ts'
import { trimEnd } from '../lib/text/trim.ts'

const length = 60_000
const limitMs = 500
const refused = (words: string[]) => ({ kind: 'refused' as const, status: 400, words, data: undefined })
const signatureInput = (header: string) =>
  readSignature(
    {
      method: 'POST',
      url: 'https://api.switchyard.test/',
      headers: { 'signature-input': header, signature: 'sig=:AAAA:' },
      rawBody: Buffer.alloc(0),
    },
    'sig',
  )

it.each<[string, () => unknown]>([
  [
    "slashes in a provider's address",
    () =>
      yellowcardCredentials.safeParse({
        apiKey: 'a',
        secretKey: 'b',
        baseUrl: `https://a.example/${'/'.repeat(length)}a`,
      }),
  ],
  ["a provider's message", () => reasonIn('insufficient '.repeat(length / 5))],
  ["a provider's refusal", () => inquiryOf(refused(['refund '.repeat(length / 5)]), () => undefined)],
  ['a list of markets', () => marketsOf('A'.repeat(length))],
  ['a table of weights', () => throwsFor(`000000 000000 MOD10${' '.repeat(length)}x`)],
  ['a signature with many components', () => signatureInput(`sig=(${'"a" '.repeat(length)}`)],
  ['a signature with many parameters', () => signatureInput(`sig=()${';a=1'.repeat(length)}!`)],
  ['a number with many zeros', () => canonicalDecimal(`0.1${'0'.repeat(4 * length)}1`)],
  ['a number that is too long', () => refusesNumber(`0.1${'0'.repeat(4 * length)}1`)],
  ['a cell of quotes', () => readCsv(`a\n"${'""'.repeat(8 * length)}"`, 1)],
  ['zeros that do not reach the end', () => trimEnd(`${'0'.repeat(16 * length)}1`, '0')],
])('%s takes linear time', (_what, run) => {
  expect(cpuMsOf(run)).toBeLessThan(limitMs)
})

it.each(['4', '4 ', '42 ', 'DE42', '٤', '4\u200b', 'a4242424242424241', '\ufdfa', '42424242-4242-4242-'])(
  'a text of nothing but "%s" is searched for card numbers in linear time',
  (piece) => {
    const text = piece.repeat(Math.ceil((4 * length) / piece.length))
    expect(cpuMsOf(() => hasCardNumber(text))).toBeLessThan(3 * limitMs)
  },
)

const refusesNumber = (text: string): void => {
  expect(() => parseJson(text, 1)).toThrow('a number of more than 64 characters')
}

const throwsFor = (table: string): void => {
  expect(() => readModulusTables(table, '')).toThrow('is not a range')
}
