import { describe, expect, it } from 'vitest'
import type { Transfer } from '../../../kernel/ledger/transfers.ts'
import { newId } from '../../../lib/ids.ts'
import { arrived, delivered, returned, suspended } from './build-postings.ts'
import { newLeg } from './prepare-leg.ts'
import type { Ramp } from './record.ts'

const now = new Date('2026-03-01T12:00:00Z')
const ramp = (receivedMinor: bigint, suspendedMinor = 0n): Ramp => ({
  direction: 'off_ramp',
  fiat: { amountMinor: 369_550n, currency: 'UGX' },
  crypto: { amountMinor: 100n, currency: 'USDC' },
  network: 'BASE',
  rate: '3695.5',
  walletAddress: null,
  routes: [],
  phase: 'collecting',
  receivedMinor,
  suspendedMinor,
  expiresAt: now,
})
const route = {
  provider: 'crypto',
  configId: newId(),
  accountId: null,
  custody: 'pooled',
  method: 'crypto',
} as const
const leg = newLeg({ ramp: ramp(0n), legs: [] }, 'collection', route, {
  now,
  sendDeadlineMs: 1_000,
  clock: { now: () => now },
})

describe('two equal instalments', () => {
  it('are two transfers: each arrival is keyed by the running total', () => {
    const paymentId = newId()
    const first = arrived(paymentId, leg, ramp(0n), ramp(50n))
    const second = arrived(paymentId, leg, ramp(50n), ramp(100n))
    expect([...first, ...second].map(({ kind, amountMinor }) => [kind, amountMinor])).toEqual([
      ['ramp.received:50', 50n],
      ['ramp.received:100', 50n],
    ])
  })

  it('that both move to suspense are two transfers', () => {
    const paymentId = newId()
    const first = suspended(paymentId, ramp(50n), ramp(50n, 50n))
    const second = suspended(paymentId, ramp(100n, 50n), ramp(100n, 100n))
    expect([...first, ...second].map(({ kind, amountMinor }) => [kind, amountMinor])).toEqual([
      ['ramp.suspended:50', 50n],
      ['ramp.suspended:100', 50n],
    ])
  })

  it('nothing is posted when nothing has arrived, and the smallest unit is', () => {
    expect(arrived(newId(), leg, ramp(50n), ramp(50n))).toEqual([])
    expect(arrived(newId(), leg, ramp(50n), ramp(51n))).toHaveLength(1)
    expect(suspended(newId(), ramp(50n), ramp(50n))).toEqual([])
    expect(suspended(newId(), ramp(50n), ramp(50n, 1n))).toHaveLength(1)
  })
})

describe('the ledger of a ramp that sells crypto', () => {
  const shortly = ({ kind, debit, credit, amountMinor, currency }: Transfer): string =>
    `${kind} ${debit}>${credit} ${amountMinor} ${currency}`
  const sold = ramp(100n)

  it('exchanges what was collected, and pays out the other currency', () => {
    const paymentId = newId()
    const transfers = delivered(paymentId, leg, sold)
    expect(transfers.map(shortly)).toEqual([
      'ramp.sold ramps>fx:USDC/UGX 100 USDC',
      'ramp.bought fx:USDC/UGX>ramps 369550 UGX',
      'ramp.delivered ramps>provider:crypto 369550 UGX',
    ])
    expect(transfers.map(({ causeId, phase }) => [causeId, phase])).toEqual(
      transfers.map(() => [paymentId, 'posted']),
    )
  })

  it('gives back what was collected to where it came from', () => {
    const paymentId = newId()
    const transfer = returned(paymentId, leg, { amountMinor: 100n, currency: 'USDC' })
    expect([transfer.causeId, shortly(transfer)]).toEqual([
      paymentId,
      'ramp.returned ramps>provider:crypto 100 USDC',
    ])
    expect(arrived(paymentId, leg, ramp(0n), sold).map(shortly)).toEqual([
      'ramp.received:100 provider:crypto>ramps 100 USDC',
    ])
    expect(suspended(paymentId, sold, ramp(100n, 100n)).map(shortly)).toEqual([
      'ramp.suspended:100 ramps>suspense 100 USDC',
    ])
  })
})
