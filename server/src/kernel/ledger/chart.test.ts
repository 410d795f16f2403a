import { describe, expect, it } from 'vitest'
import { account, postHold, held, insertTransfers, posted, releaseHold, type Transfer } from './transfers.ts'

const movement = {
  causeId: 'cause',
  kind: 'payout.hold',
  debit: 'available',
  credit: 'outgoing',
  currency: 'NGN',
  amountMinor: 100n,
}

describe('the chart of accounts', () => {
  it('names an account for each place that money can be in', () => {
    expect([account.available('pooled'), account.available('own')]).toEqual(['available', 'available:own'])
    expect([account.outgoing, account.opening, account.fees, account.feesDue]).toEqual([
      'outgoing',
      'opening',
      'fees',
      'fees_due',
    ])
    expect([account.providerCosts, account.suspense, account.ramps]).toEqual([
      'provider_costs',
      'suspense',
      'ramps',
    ])
    expect(account.virtual('v1')).toBe('va:v1')
    expect([account.provider('paystack', null), account.provider('paystack', 'a1')]).toEqual([
      'provider:paystack',
      'provider:paystack:a1',
    ])
    expect(account.exchange('GBP', 'NGN')).toBe('fx:GBP/NGN')
  })
})

describe('a transfer', () => {
  it('is final or held, and a hold is posted or released under a kind of its own', () => {
    const hold = held(movement)
    expect(posted(movement)).toEqual({ ...movement, phase: 'posted' })
    expect(hold).toEqual({ ...movement, phase: 'pending' })
    expect(postHold(hold)).toEqual({ ...movement, kind: 'payout.hold.resolved', phase: 'post' })
    expect(releaseHold(hold)).toEqual({ ...movement, kind: 'payout.hold.resolved', phase: 'void' })
  })

  it('is written with its organisation, cause, sides and amount', () => {
    const { sql, parameters } = insertTransfers('org', [posted(movement)])
    expect(sql).toMatch(/^insert into "ledger_transfers"/)
    expect(parameters).toEqual([
      'org',
      'cause',
      'payout.hold',
      'posted',
      'available',
      'outgoing',
      'NGN',
      '100',
    ])
  })
})

describe('a transfer of a guarded account', () => {
  /** The account, currency, available and held amount of each change, in the order of the locks. */
  const changes = (...transfers: Transfer[]): unknown[] => {
    const { sql, parameters } = insertTransfers('org', transfers)
    expect(sql).toContain('move_guarded')
    const [names, currencies, available, heldAmounts] = parameters.slice(-4) as string[][]
    return (names ?? []).map((name, index) => [
      name,
      currencies?.[index],
      available?.[index],
      heldAmounts?.[index],
    ])
  }
  const between = (debit: string, credit: string, amountMinor = 100n): Omit<Transfer, 'phase'> => ({
    ...movement,
    debit,
    credit,
    amountMinor,
  })

  it('takes from the account or adds to it, by its phase', () => {
    const out = held(between('va:a', 'outgoing'))
    expect(changes(posted(out))).toEqual([['va:a', 'NGN', '-100', '0']])
    expect(changes(out)).toEqual([['va:a', 'NGN', '-100', '100']])
    expect(changes(postHold(out))).toEqual([['va:a', 'NGN', '0', '-100']])
    expect(changes(releaseHold(out))).toEqual([['va:a', 'NGN', '100', '-100']])
    const into = held(between('outgoing', 'va:a'))
    expect(changes(posted(into))).toEqual([['va:a', 'NGN', '100', '0']])
    expect(changes(into)).toEqual([['va:a', 'NGN', '0', '0']])
    expect(changes(postHold(into))).toEqual([['va:a', 'NGN', '100', '0']])
    expect(changes(releaseHold(into))).toEqual([['va:a', 'NGN', '0', '0']])
  })

  it('adds up to one change for each account, in the order of their names', () => {
    expect(
      changes(
        posted(between('va:b', 'va:c', 7n)),
        posted(between('va:c', 'va:a', 2n)),
        held(between('va:b', 'outgoing', 1n)),
      ),
    ).toEqual([
      ['va:a', 'NGN', '2', '0'],
      ['va:b', 'NGN', '-8', '1'],
      ['va:c', 'NGN', '5', '0'],
    ])
  })
})
