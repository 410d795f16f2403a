import { describe, expect, it } from 'vitest'
import { newId } from '../../../lib/ids.ts'
import { approverFor, custodyOf, isOneCustody, readProviderAccount, type AccountCustody } from './rules.ts'

describe('the custody of an account', () => {
  it('is known for what can be adjusted, and for nothing else', () => {
    const names = ['available', 'available:own', 'fees', 'opening', 'outgoing', 'va:v1', 'fees_due', '']
    expect(names.map(custodyOf)).toEqual([
      'pooled',
      'own',
      'pooled',
      null,
      undefined,
      undefined,
      undefined,
      undefined,
    ])
  })

  it('must be the same on both sides, except for an account that is the counterpart of both', () => {
    const sides: AccountCustody[] = ['pooled', 'own', null]
    const allowed = sides.flatMap((debit) =>
      sides.filter((credit) => isOneCustody(debit, credit)).map((credit) => `${debit} ${credit}`),
    )
    expect(allowed).toEqual([
      'pooled pooled',
      'pooled null',
      'own own',
      'own null',
      'null pooled',
      'null own',
      'null null',
    ])
  })

  it('decides who approves: own money is the organisation’s to correct', () => {
    const sides: AccountCustody[] = ['pooled', 'own', null]
    const byOrganisation = sides.flatMap((debit) =>
      sides
        .filter((credit) => approverFor(debit, credit) === 'administrator')
        .map((credit) => `${debit} ${credit}`),
    )
    expect(byOrganisation).toEqual(['pooled own', 'own pooled', 'own own', 'own null', 'null own'])
    expect(approverFor('pooled', null)).toBe('operator')
  })
})

describe('the account of a provider', () => {
  const accountId = newId()

  it('is named by the provider and its id', () => {
    expect(readProviderAccount(`provider:paystack:${accountId}`)).toEqual({ provider: 'paystack', accountId })
    expect(readProviderAccount(`provider:bank-1:${accountId}`)?.provider).toBe('bank-1')
  })

  it.each([
    'provider:paystack',
    `provider:${accountId}`,
    'provider:paystack:not-an-id',
    `provider:paystack:${'-'.repeat(36)}`,
    `x provider:paystack:${accountId}`,
    `provider:paystack:${accountId}:x`,
  ])('is not %s', (name) => {
    expect(readProviderAccount(name)).toBeUndefined()
  })
})
