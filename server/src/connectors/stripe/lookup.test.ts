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
    clock.advance(1_000)
    expect(await crowded.inquire(fixture.attemptOf())).toMatchObject({ kind: 'unknown' })
    const hosted = fixture.attemptOf()
    await crowded.collect?.(hosted, details)
    clock.advance(1_000)
    expect(await crowded.inquire(hosted)).toMatchObject({ nextAction: { type: 'redirect' } })
  })

  test('a payment that search knows takes one request, however many payments there are', async () => {
    const account = { account: 'busy', secrets: { secret_key: 'sk_test_busy' } }
    simulator.configure('stripe', { ...account, options: { search_delay_ms: 0 } })
    const busy = fixture.connectorWith({ secretKey: 'sk_test_busy' })
    const first = fixture.attemptOf()
    await busy.collect?.(first, { ...details, card })
    for (let round = 0; round < 3; round += 1)
      await Promise.all(
        Array.from({ length: 50 }, async () => busy.collect?.(fixture.attemptOf(), { ...details, card })),
      )
    const before = fixture.calls.length
    expect(await busy.inquire(first)).toMatchObject({ kind: 'accepted' })
    expect(fixture.calls.slice(before).map(({ url }) => new URL(url).pathname)).toEqual([
      expect.stringContaining('/v1/payment_intents/search'),
    ])
  })

  test('look-ups of many payments at once list a limited number of pages, and prove nothing without them', async () => {
    simulator.configure('stripe', { account: 'calm', secrets: { secret_key: 'sk_test_calm' } })
    const calm = fixture.connectorWith({ secretKey: 'sk_test_calm', lookUpPages: 2 })
    const inquireMany = async (): Promise<string[]> => {
      const absent = Array.from({ length: 20 }, () => fixture.attemptOf({ method: 'bank_transfer' }))
      const answers = await Promise.all(absent.map((attempt) => calm.inquire(attempt)))
      return answers.map(({ kind }) => kind).toSorted()
    }
    const before = fixture.calls.length
    const some = [
      ...Array.from({ length: 4 }, () => 'not_found'),
      ...Array.from({ length: 16 }, () => 'unknown'),
    ]
    expect(await inquireMany()).toEqual(some)
    expect(fixture.calls.slice(before).filter(({ url }) => !url.includes('/search'))).toHaveLength(4)
    clock.advance(10_000)
    expect(await inquireMany()).toEqual(some)
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
