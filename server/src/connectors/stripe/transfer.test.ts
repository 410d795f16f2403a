import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { createManualClock } from '@switchyard/simulator/core/clock.ts'
import { startSimulator, type Simulator } from '@switchyard/simulator/simulator.ts'
import type { Attempt, Connector } from '../kit/connector.ts'
import { accepted, details, openStripeFixture, type StripeFixture } from './testing/stripe-fixture.ts'

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

describe('a bank transfer', () => {
  const transfer = (more: Partial<Attempt> = {}) =>
    fixture.attemptOf({ method: 'bank_transfer', amount: { amountMinor: 2_013n, currency: 'GBP' }, ...more })

  test('GBP: sort code and account number', async () => {
    expect((await fixture.send(transfer())).sent).toMatchObject({
      state: { state: 'pending' },
      nextAction: {
        type: 'bank_transfer',
        instructions: {
          account_name: 'Switchyard Sandbox',
          account_number: expect.stringMatching(/^\d{8}$/),
          sort_code: '108800',
          reference: expect.stringMatching(/./),
        },
      },
    })
  })

  test.each([
    ['NL', {}, 'NL'],
    ['AT', {}, 'DE'],
    ['AT', { eurAccountCountry: 'IE' }, 'IE'],
  ])('EUR from %s with %j: an IBAN in %s', async (country, more, prefix) => {
    const attempt = transfer({ country, amount: { amountMinor: 2_013n, currency: 'EUR' } })
    const sent = accepted(await fixture.connectorWith(more).collect?.(attempt, details))
    expect(sent.nextAction).toMatchObject({
      instructions: { iban: expect.stringMatching(`^${prefix}\\d\\d`) },
    })
  })

  test('a partial transfer leaves it pending, and the rest completes it', async () => {
    const attempt = await fixture.send(transfer())
    const customer = /customer=(cus_\w+)/.exec(fixture.calls.at(-1)?.body ?? '')?.[1]
    const fund = (amount: string) =>
      fetch(`${simulator.providerUrl('stripe')}/v1/test_helpers/customers/${customer}/fund_cash_balance`, {
        method: 'POST',
        headers: { authorization: 'Bearer sk_test_switchyard_sandbox' },
        body: new URLSearchParams({ amount, currency: 'gbp' }),
      })
    await fund('2000')
    expect(await connector.inquire(attempt)).toMatchObject({ state: { state: 'pending' } })
    await fund('13')
    expect(await connector.inquire(attempt)).toMatchObject({ state: { state: 'completed' } })
    expect(fixture.statesTold(attempt)).toEqual(['pending', 'completed'])
  })

  test.each(['timeout_before', 'error_500', 'cut_answer', 'down'] as const)(
    'without a customer (%s) nothing was sent',
    async (fault) => {
      simulator.setFaults('stripe', [{ on: 'prepare', fault }])
      const attempt = transfer()
      const quick = fixture.connectorWith({}, 1_000)
      expect(await quick.collect?.(attempt, details)).toMatchObject({ kind: 'not_sent' })
      expect(simulator.log({ reference: attempt.reference })).toEqual([])
    },
  )
})
