import { describe, expect, it } from 'vitest'
import { newId } from '../../../lib/ids.ts'
import { arrived, suspended } from './build-postings.ts'
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

  it('nothing is posted when nothing has arrived', () => {
    expect(arrived(newId(), leg, ramp(50n), ramp(50n))).toEqual([])
  })
})
