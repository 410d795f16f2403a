import { describe, expect, test } from 'vitest'
import type { TransactionPage } from '../kit/lists.ts'
import { absent } from './absent.ts'
import {
  isPayin,
  mobileMoneyOf,
  operationOf,
  shapeOf,
  type AccountHarness,
  type CancelHarness,
  type ContractHarness,
} from './harness.ts'
import { runToEnd, completePayment, expectAccepted, rightOtp, send, sentinel } from './steps.ts'
import type { Fixture } from './fixture.ts'

const pagesLimit = 20

export function otherCases(harness: ContractHarness, fixture: () => Fixture): void {
  const shape = shapeOf(harness)
  describe('optional capabilities', () => {
    if (shape.act) otpCases(harness, fixture)
    else absent('one-time passwords')
    if (harness.cancel) cancelCases(harness.cancel, fixture)
    else absent('cancellation')
    if (shape.listNetworks) networkCases(harness, fixture)
    else absent('list of networks')
    if (harness.accounts) accountCases(harness.accounts, fixture)
    else absent('list of banks and lookup of account names')
    if (shape.listTransactions) transactionCases(harness, fixture)
    else absent('list of transactions')
  })
}

function otpCases(harness: ContractHarness, fixture: () => Fixture): void {
  const flows = harness.flows.filter(({ otp }) => otp === true)
  test.each(flows.map((flow) => [flow.title, flow] as const))(
    '%s: a wrong one-time password is reported as such, and the right one completes the payment',
    async (_title, flow) => {
      const { attempt, outcome } = await send(fixture(), flow, sentinel(flow, '15'))
      expect(expectAccepted(outcome).nextAction).toMatchObject({ type: 'collect_otp' })
      const wrong = await fixture().connector.act?.(attempt, { type: 'submit_otp', otp: '000000' })
      expect(wrong).toEqual({ kind: 'wrong_otp' })
      const right = await fixture().connector.act?.(attempt, { type: 'submit_otp', otp: rightOtp })
      const ended = await runToEnd(fixture(), attempt, expectAccepted(right ?? { kind: 'absent' }))
      expect(ended.state).toEqual({ state: 'completed' })
    },
  )
}

function cancelCases(cancel: CancelHarness, fixture: () => Fixture): void {
  test('a payment that can still be canceled is canceled', async () => {
    const { simulator, provider, connector } = fixture()
    simulator.configure(provider, cancel.account)
    try {
      const { attempt, outcome } = await send(fixture(), cancel.flow)
      expectAccepted(outcome)
      const canceled = expectAccepted((await connector.cancel?.(attempt)) ?? { kind: 'absent' })
      const ended =
        canceled.state.state === 'canceled' ? canceled : await runToEnd(fixture(), attempt, canceled)
      expect(ended.state).toEqual({ state: 'canceled' })
    } finally {
      simulator.configure(provider, cancel.accountAfter)
    }
  })

  test('a payment that has completed is not canceled', async () => {
    const attempt = await completePayment(fixture(), cancel.flow)
    expect(await fixture().connector.cancel?.(attempt)).toMatchObject({ kind: 'declined', fallback: false })
    expect(await fixture().connector.inquire(attempt)).toMatchObject({ state: { state: 'completed' } })
  })
}

function networkCases(harness: ContractHarness, fixture: () => Fixture): void {
  const flows = harness.flows.filter((flow) => mobileMoneyOf(flow) !== undefined)

  test.each(flows.map((flow) => [flow.title, flow] as const))(
    '%s: its network is listed with the code that callers send',
    async (_title, flow) => {
      const networks = (await fixture().connector.listNetworks?.(flow.country)) ?? []
      expect(networks.every(({ country }) => country === flow.country)).toBe(true)
      const found = networks.find(
        ({ network, currency }) => network === mobileMoneyOf(flow)?.network && currency === flow.currency,
      )
      expect(found?.directions).toContain(operationOf(flow) === 'collect' ? 'payin' : 'payout')
    },
  )

  test.skipIf(harness.networks === 'configured').each(['error_500', 'malformed_200', 'down'] as const)(
    'networks: %s is an error, not an empty list',
    async (fault) => {
      fixture().setFault({ on: 'list', fault })
      await expect(fixture().connector.listNetworks?.(harness.flows[0].country)).rejects.toThrow(/./)
    },
  )
}

function accountCases({ country, known, unknown }: AccountHarness, fixture: () => Fixture): void {
  test('its banks are listed with the codes that callers send', async () => {
    const banks = (await fixture().connector.listBanks?.(country)) ?? []
    expect(banks).toContainEqual({ code: known.bankCode, name: expect.stringMatching(/./), country })
  })

  test.each(['error_500', 'malformed_200', 'down'] as const)(
    'banks and account names: %s is an error or unknown, never an empty list or a wrong account',
    async (fault) => {
      fixture().setFault({ on: 'list', fault, times: 2 })
      await expect(fixture().connector.listBanks?.(country)).rejects.toThrow(/./)
      expect(await fixture().connector.resolveAccount?.({ ...known, country })).toMatchObject({
        kind: 'unknown',
      })
    },
  )

  test('a known account resolves to its holder, and an unknown account is not found', async () => {
    const { connector } = fixture()
    expect(await connector.resolveAccount?.({ ...known, country })).toEqual({
      kind: 'found',
      accountName: expect.stringMatching(/./),
    })
    expect(await connector.resolveAccount?.({ ...unknown, country })).toEqual({ kind: 'not_found' })
  })
}

function transactionCases(harness: ContractHarness, fixture: () => Fixture): void {
  test('a completed payment is in the list of transactions, with its amount and state', async () => {
    const flow = harness.listed ?? harness.flows.find(isPayin) ?? harness.flows[0]
    const attempt = await completePayment(fixture(), flow)
    const since = new Date(Date.now() - 3_600_000)
    let cursor: string | null = null
    for (let page = 0; page < pagesLimit; page += 1) {
      const answer: TransactionPage | undefined = await fixture().connector.listTransactions?.(since, cursor)
      const found = answer?.transactions.find(
        ({ reference, providerRef }) =>
          reference === attempt.reference || providerRef === attempt.providerRef,
      )
      if (found) {
        expect(found).toMatchObject({ amount: attempt.amount, state: { state: 'completed' } })
        return
      }
      cursor = answer?.nextCursor ?? null
      if (cursor === null) break
    }
    expect.unreachable('the payment is not listed')
  })
}
