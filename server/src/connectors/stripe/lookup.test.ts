import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { createManualClock } from '@switchyard/simulator/core/clock.ts'
import { startSimulator, type Simulator } from '@switchyard/simulator/simulator.ts'
import type { Attempt, Connector } from '../kit/connector.ts'
import type { TransactionPage } from '../kit/lists.ts'
import {
  accepted,
  card,
  dayMs,
  details,
  openStripeFixture,
  press,
  redirectOf,
  type StripeFixture,
} from './testing/stripe-fixture.ts'

const clock = createManualClock(new Date('2030-01-01T12:00:00Z'))
let fixture: StripeFixture
let simulator: Simulator
let connector: Connector

beforeAll(async () => {
  simulator = await startSimulator({ delayMs: 1_000, clock })
  fixture = openStripeFixture({ clock, simulator })
  connector = fixture.connector
})
afterEach(() => simulator.setFaults('stripe', []))
afterAll(() => simulator.stop())

describe('lookups', () => {
  test('an id that is unknown to the account is unknown, never "not found"', async () => {
    for (const providerRef of ['pi_gone', 'cs_test_gone']) {
      expect(await connector.inquire(fixture.attemptOf({ providerRef }))).toMatchObject({ kind: 'unknown' })
    }
    const refund = { reference: randomUUID(), amount: fixture.attemptOf().amount, isPartial: false }
    const attempt = fixture.attemptOf({ providerRef: 'pi_gone' })
    expect(await connector.inquireRefund?.(attempt, { ...refund, providerRef: 're_gone' })).toMatchObject({
      kind: 'unknown',
    })
  })

  test('a payment that was created long after its attempt is found by search, once it is indexed', async () => {
    const attempt = await fixture.send(fixture.attemptOf(), { card })
    const createdAt = new Date(attempt.createdAt.getTime() - dayMs)
    const heldUp = { ...attempt, providerRef: null, createdAt }
    expect(await connector.inquire(heldUp)).toEqual({ kind: 'not_found' })
    simulator.configure('stripe', { options: { search_delay_ms: 0 } })
    expect(await connector.inquire(heldUp)).toMatchObject({ kind: 'accepted' })
    expect(await connector.inquire({ ...heldUp, reference: randomUUID() })).toEqual({ kind: 'not_found' })
    simulator.configure('stripe', { options: { search_delay_ms: 60_000 } })
  })

  test('with too many payments to list, search may find one but never proves "not found"', async () => {
    const account = { account: 'crowded', secrets: { secret_key: 'sk_test_crowded' } }
    simulator.configure('stripe', { ...account, options: { search_delay_ms: 60_000 } })
    const crowded = fixture.connectorWith({ secretKey: 'sk_test_crowded', lookUpPages: 2 })
    const pay = (attempt: Attempt) => crowded.collect?.(attempt, { ...details, card })
    const first = fixture.attemptOf()
    await pay(first)
    for (let round = 0; round < 4; round += 1) {
      await Promise.all(Array.from({ length: 50 }, async () => pay(fixture.attemptOf())))
    }
    expect(await crowded.inquire(first)).toMatchObject({ kind: 'unknown' })
    simulator.configure('stripe', { ...account, options: { search_delay_ms: 0 } })
    expect(await crowded.inquire(first)).toMatchObject({ state: { state: 'completed' } })
    expect(await crowded.inquire(fixture.attemptOf())).toMatchObject({ kind: 'unknown' })
    const hosted = fixture.attemptOf()
    await crowded.collect?.(hosted, details)
    expect(await crowded.inquire(hosted)).toMatchObject({ nextAction: { type: 'redirect' } })
  })

  test('transactions: intents of every page, then sessions without an attempt to pay', async () => {
    simulator.configure('stripe', { account: 'books', secrets: { secret_key: 'sk_test_books' } })
    const books = fixture.connectorWith({ secretKey: 'sk_test_books' })
    const since = clock.now()
    const attempts = Array.from({ length: 103 }, () => fixture.attemptOf())
    for (const attempt of attempts.slice(0, 101)) await books.collect?.(attempt, { ...details, card })
    const [open, paid] = attempts.slice(101) as [Attempt, Attempt]
    await books.collect?.(open, details)
    await press(redirectOf(accepted(await books.collect?.(paid, details))), 'pay')
    const listed = []
    let cursor: string | null = null
    let pages = 0
    do {
      const page: TransactionPage | undefined = await books.listTransactions?.(since, cursor)
      listed.push(...(page?.transactions ?? []))
      cursor = page?.nextCursor ?? null
      pages += 1
    } while (cursor !== null)
    expect(pages).toBe(3)
    expect(new Set(listed.map(({ reference }) => reference))).toEqual(
      new Set(attempts.map((one) => one.reference)),
    )
    expect(listed).toHaveLength(103)
    expect(listed.find(({ reference }) => reference === open.reference)?.state).toEqual({ state: 'pending' })
    expect(listed.find(({ reference }) => reference === paid.reference)?.state).toEqual({
      state: 'completed',
    })
  })

  test('an unavailable list is an error, not an empty list', async () => {
    simulator.setFaults('stripe', [{ on: 'inquire', fault: 'error_500' }])
    await expect(connector.listTransactions?.(clock.now(), null)).rejects.toThrow('HTTP 500')
  })
})
