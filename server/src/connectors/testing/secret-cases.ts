import { describe, expect, test } from 'vitest'
import { openapiFiles, type ContractHarness } from './harness.ts'
import type { Fixture } from './fixture.ts'

/** These cases run last, because they search everything that passed through the connector. */
export function secretCases(harness: ContractHarness, fixture: () => Fixture): void {
  describe('secrets and requests of all cases', () => {
    test('no result of the connector contained a secret or a card number', () => {
      const reported = fixture().answers.map(textOf).join('\n')
      expect(reported).not.toBe('')
      for (const secret of secretsOf(harness)) expect(reported.includes(secret)).toBe(false)
    })

    test('no called address contained a secret or a card number', () => {
      const urls = fixture().calls.map(({ url }) => decodeURIComponent(url))
      for (const secret of secretsOf(harness)) expect(urls.filter((url) => url.includes(secret))).toEqual([])
    })

    for (const [index, { file }] of openapiFiles(harness).entries()) {
      test(`every request was valid by ${file}`, ({ skip }) => {
        const check = fixture().requests[index]
        skip(check?.skipped !== undefined, check?.skipped)
        expect(check?.problems()).toEqual([])
      })
    }
  })
}

function secretsOf({ secrets, flows }: ContractHarness): string[] {
  const cards = flows.flatMap(({ details }) => ('card' in details && details.card ? [details.card] : []))
  return [...secrets, ...cards.map(({ number }) => number)].filter((secret) => secret !== '')
}

function textOf(answer: unknown): string {
  if (answer instanceof Error) return `${answer.stack ?? answer.message} ${textOf(answer.cause)}`
  return (
    JSON.stringify(answer, (_key, value: unknown) =>
      typeof value === 'bigint' ? value.toString() : value,
    ) ?? ''
  )
}
