import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { behaviourFor, SENTINELS, SUCCESS } from './sentinels.ts'

const twoDigits = fc.integer({ min: 0, max: 99 }).map((number) => String(number).padStart(2, '0'))
const meaningless = twoDigits.filter((digits) => !SENTINELS.some((entry) => entry.digits === digits))
const meaningful = fc.constantFrom(...SENTINELS.filter((entry) => entry.digits !== '00'))

describe('sentinels', () => {
  test('each has unique digits', () => {
    const digits = SENTINELS.map((entry) => entry.digits)
    expect(new Set(digits).size).toBe(digits.length)
    expect(digits.every((entry) => /^\d\d$/.test(entry))).toBe(true)
  })

  test('the cents decide if they are a sentinel, whatever the account is', () => {
    fc.assert(
      fc.property(meaningful, twoDigits, (entry, tail) => {
        const behaviour = behaviourFor({ amount: `250.${entry.digits}`, account: `2567${tail}` })
        expect(behaviour).toBe(entry.behaviour)
      }),
    )
  })

  test('for a whole amount the last two digits of the account decide', () => {
    fc.assert(
      fc.property(meaningful, (entry) => {
        expect(behaviourFor({ amount: '250', account: `+256 700 1${entry.digits}` })).toBe(entry.behaviour)
        expect(behaviourFor({ amount: '250.00', account: entry.digits })).toBe(entry.behaviour)
      }),
    )
  })

  test('digits that are no sentinel succeed', () => {
    fc.assert(
      fc.property(meaningless, meaningless, (cents, tail) => {
        expect(behaviourFor({ amount: `9.${cents}`, account: `0${tail}` })).toBe(SUCCESS)
      }),
    )
  })

  test('one decimal means tenths: 100.2 is 100.20', () => {
    expect(behaviourFor({ amount: '100.2' }).fault).toBe('malformed_200')
  })

  test('the README lists every sentinel', () => {
    const readme = readFileSync(join(import.meta.dirname, '../README.md'), 'utf8').replaceAll(/ +/g, ' ')
    for (const { digits, means } of SENTINELS) expect(readme).toContain(`| ${digits} | ${means} |`)
  })
})
