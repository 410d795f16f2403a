import { expect, it } from 'vitest'
import { readModulusTables } from '../domains/parties/bank-validation/check-modulus.ts'
import { cpuMsOf } from '../../test/processes/cpu-time.ts'
import { marketsOf } from '../connectors/kit/markets.ts'
import { reasonIn } from '../connectors/kit/reasons.ts'
import { inquiryOf } from '../connectors/paystack/mapping.ts'
import { yellowcardCredentials } from '../connectors/yellowcard/credentials.ts'

const length = 60_000
const limitMs = 500
const refused = (words: string[]) => ({ kind: 'refused' as const, status: 400, words, data: undefined })

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
])('%s takes linear time', (_what, run) => {
  expect(cpuMsOf(run)).toBeLessThan(limitMs)
})

const throwsFor = (table: string): void => {
  expect(() => readModulusTables(table, '')).toThrow('is not a range')
}
