import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  bicProblem,
  ibanProblem,
  nubanProblem,
  sortCodeProblem,
  ukAccountNumberProblem,
} from './bank-account.ts'

describe('an IBAN', () => {
  it.each(['GB33BUKB20201555555555', 'GB33 BUKB 2020 1555 5555 55', 'DE89370400440532013000'])(
    '%s is taken',
    (text) => expect(ibanProblem(text)).toBeUndefined(),
  )
  it.each(['GB34BUKB20201555555555', 'GB33BUKB2020155555555', 'XX', '', 'GB33BUKB20201555555556'])(
    '%j is not',
    (text) => expect(ibanProblem(text)).toContain('IBAN'),
  )
})

describe('a SWIFT code', () => {
  it.each(['BUKBGB22', 'bukbgb22xxx'])('%s is taken', (text) => expect(bicProblem(text)).toBeUndefined())
  it.each(['BUKB', 'BUKBGB2', '1UKBGB22'])('%s is not', (text) => expect(bicProblem(text)).toBeDefined())
})

describe('a UK account', () => {
  it.each(['12-34-56', '123456'])('sort code %s is taken', (text) =>
    expect(sortCodeProblem(text)).toBeUndefined(),
  )
  it.each(['12-3456', '12 34 56', '1234567', 'ab-cd-ef'])('sort code %s is not', (text) =>
    expect(sortCodeProblem(text)).toBeDefined(),
  )
  it.each(['123456', '1234567', '12345678'])('number %s is taken', (text) =>
    expect(ukAccountNumberProblem(text)).toBeUndefined(),
  )
  it.each(['12345', '123456789', '1234 678'])('number %s is not', (text) =>
    expect(ukAccountNumberProblem(text)).toBeDefined(),
  )
})

describe('a NUBAN', () => {
  // The example of the Central Bank's standard: bank 011, serial 000001457, check digit 9.
  it('from the standard is accepted', () => expect(nubanProblem('0000014579', '011')).toBeUndefined())
  it('is accepted without a bank, and for a fintech, whose codes follow other rules', () => {
    expect(nubanProblem('0000014578', undefined)).toBeUndefined()
    expect(nubanProblem('0000014578', '999992')).toBeUndefined()
  })
  it.each(['000001457', '00000145790', '00000145x9'])('%s has not ten digits', (text) =>
    expect(nubanProblem(text, '011')).toContain('10 digits'),
  )
  it('has exactly one valid check digit', () => {
    const digits = (count: number) => fc.stringMatching(new RegExp(`^\\d{${count}}$`))
    fc.assert(
      fc.property(digits(3), digits(9), (bankCode, serial) => {
        const taken = '0123456789'.split('').filter((digit) => !nubanProblem(serial + digit, bankCode))
        expect(taken).toHaveLength(1)
      }),
    )
  })
})
