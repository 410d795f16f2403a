import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { OpenedAccount, ProviderDeposit } from '../kit/accounts.ts'
import type { WebhookRequest } from '../kit/connector.ts'
import type { TransactionPage } from '../kit/lists.ts'
import { absent } from './absent.ts'
import type { Fixture } from './fixture.ts'
import { shapeOf, type ContractHarness } from './harness.ts'

const pagesLimit = 20

/** Accounts that anybody can deposit to, and the deposits. */
export function openingCases(harness: ContractHarness, fixture: () => Fixture): void {
  const { openings } = harness
  const { accountCurrencies = [] } = shapeOf(harness)
  describe('virtual accounts', () => {
    if (!openings) {
      absent('virtual accounts')
      return
    }
    const { country } = openings
    test.each(accountCurrencies)('%s: the same reference returns the same account', async (currency) => {
      const reference = randomUUID()
      const first = await open(fixture(), { country, currency, reference })
      expect(first.accountNumber).toMatch(/^[A-Z0-9]{8,34}$/)
      expect(await open(fixture(), { country, currency, reference })).toEqual(first)
      const other = await open(fixture(), { country, currency })
      expect(other.accountNumber).not.toBe(first.accountNumber)
    })

    test.each(accountCurrencies)('%s: a deposit is reported and listed under one key', async (currency) => {
      const account = await open(fixture(), { country, currency })
      const { deposits } = await deposit(fixture(), account, 12_345)
      expect(deposits).toMatchObject([
        {
          accountNumber: account.depositKey ?? account.accountNumber,
          amount: { amountMinor: 12_345n, currency },
          sender: { name: expect.stringMatching(/./) },
        },
      ])
      const listed = await listDeposits(fixture())
      expect(listed.filter(({ providerRef }) => providerRef === deposits[0]?.providerRef)).toEqual(deposits)
    })

    test('a changed deposit is forged, and no deposit is taken for a payment', async () => {
      const account = await open(fixture(), { country, currency: accountCurrencies[0] ?? '' })
      const { request, deposits } = await deposit(fixture(), account, 12_345)
      const { connector } = fixture()
      const changed = request.rawBody.toString('utf8').replace('12345', '99999')
      expect(changed).not.toBe(request.rawBody.toString('utf8'))
      const forged = { ...request, rawBody: Buffer.from(changed) }
      expect(await connector.verifyWebhook?.(forged)).toMatchObject({ kind: 'forged' })
      expect(await connector.verifyWebhook?.(request)).toEqual({ kind: 'verified' })
      expect(deposits).toHaveLength(1)
      expect(connector.readWebhook?.(request.rawBody)).toEqual([])
    })

    test.each(['error_500', 'malformed_200', 'down', 'rate_limit'] as const)(
      '%s opens no account',
      async (fault) => {
        fixture().setFault({ on: 'prepare', fault })
        const wanted = { reference: randomUUID(), name: 'Ada', country, currency: accountCurrencies[0] ?? '' }
        expect(await fixture().connector.openAccount?.(wanted)).toMatchObject({ kind: 'refused' })
      },
    )
  })
}

async function open(
  { connector }: Fixture,
  { reference = randomUUID(), ...place }: { country: string; currency: string; reference?: string },
): Promise<OpenedAccount> {
  const outcome = await connector.openAccount?.({ reference, name: 'Ada Stores', ...place })
  if (outcome?.kind !== 'opened') throw new Error(`no account was opened: ${JSON.stringify(outcome)}`)
  return outcome.account
}

/** The simulated bank of a sender; its webhook has arrived when this returns. */
async function deposit(
  { simulator, provider, receiver, connector }: Fixture,
  { accountNumber }: OpenedAccount,
  amount: number,
): Promise<{ request: WebhookRequest; deposits: ProviderDeposit[] }> {
  const response = await fetch(`${simulator.providerUrl(provider)}/_bank/deposit`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ account_number: accountNumber, amount }),
  })
  expect(response.status).toBe(200)
  const request = receiver.received().at(-1)
  if (!request) throw new Error('no webhook arrived')
  return { request, deposits: connector.readDeposits?.(request.rawBody) ?? [] }
}

async function listDeposits({ connector }: Fixture): Promise<ProviderDeposit[]> {
  const since = new Date(Date.now() - 3_600_000)
  const found: ProviderDeposit[] = []
  let cursor: string | null = null
  for (let page = 0; page < pagesLimit; page += 1) {
    const answer: TransactionPage | undefined = await connector.listTransactions?.(since, cursor)
    found.push(...(answer?.transactions.flatMap(({ deposit: one }) => one ?? []) ?? []))
    cursor = answer?.nextCursor ?? null
    if (cursor === null) return found
  }
  return found
}
