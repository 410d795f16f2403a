import { beforeAll, expect, it } from 'vitest'
import { AppError } from '../../../../lib/errors.ts'
import { newId } from '../../../../lib/ids.ts'
import {
  expectCleanAudit,
  openAccounts,
  type TestAccounts,
} from '../../../../../test/worlds/test-accounts.ts'
import { memberCaller, operatorOf } from '@switchyard/stack/seeds/seed.ts'
import { installationAccountId, usePayments } from '../../../../../test/worlds/test-payments.ts'
import { installationOrgId } from '../../../../kernel/db/vault.ts'
import { receiveDeposit } from '../deposits/receive-deposit.ts'
import { resealData } from '../../../records/data-keys/reseal-data.ts'
import { insertInboxRow } from '../../../after/provider-webhooks/store.ts'
import { transferMoney } from './transfer-money.ts'
import { withdrawMoney } from './withdraw-money.ts'

/** `LOAD=full` runs the full load, which takes minutes. */
const isFull = process.env['LOAD'] === 'full'
const sizes = isFull ? { accounts: 50, moves: 20_000, races: 1_000 } : { accounts: 20, moves: 600, races: 40 }
const connections = 32
const limitMs = isFull ? 1_800_000 : 120_000

const t = usePayments({ delayMs: 50, env: { DATABASE_POOL_SIZE: String(connections) } })
let org: TestAccounts
let paystackId: string
beforeAll(async () => {
  org = await openAccounts(t)
  paystackId = await installationAccountId(t, 'paystack')
}, 120_000)

const caller = () =>
  memberCaller(operatorOf(t.seed), { orgId: org.orgId, userId: org.userId, role: 'org-admin' })

interface Target {
  accountId: string
  accountNumber: string
}

const openMany = async (count: number): Promise<Target[]> => {
  const opened: Target[] = []
  for (let index = 0; index < count; index++) {
    const { account_id, bank_details } = await org.open()
    opened.push({ accountId: account_id, accountNumber: bank_details.account_number })
  }
  return opened
}

/** Simulates the webhook of a deposit; every tenth is repeated. */
async function deposit(target: Target, amountMinor: bigint): Promise<void> {
  const providerRef = newId()
  const account = { orgId: installationOrgId, accountId: paystackId, provider: 'paystack' }
  const arrival = {
    account,
    deposit: {
      dedupeKey: providerRef,
      providerRef,
      accountNumber: target.accountNumber,
      amount: { amountMinor, currency: 'NGN' },
      sender: {},
    },
    inbox: (result: string) =>
      insertInboxRow(org.orgId, {
        provider: 'paystack',
        accountId: paystackId,
        dedupeKey: providerRef,
        reference: providerRef,
        paymentId: null,
        verdict: 'verified',
        providerStatus: 'deposit',
        result,
      }),
  }
  await receiveDeposit(t.deps, arrival)
  if (Math.random() < 0.1) await expect(receiveDeposit(t.deps, arrival)).rejects.toThrow('inbox_pkey')
}

const transfer = (from: Target, to: Target, amount: number) =>
  transferMoney(t.deps, caller(), {
    accountId: from.accountId,
    toAccountId: to.accountId,
    amount,
    description: null,
    reference: null,
  })
const withdraw = (from: Target, amount: number) =>
  withdrawMoney(t.deps, caller(), {
    accountId: from.accountId,
    beneficiaryId: org.beneficiaryId,
    amount,
    description: null,
    reference: null,
    metadata: null,
  })

/** Too little money is an expected refusal, and so is a busy machine; a deadlock and any other error are not. */
const refusals = { INSUFFICIENT_FUNDS: 0, SERVICE_UNAVAILABLE: 0 }
const deadlockCode = '40P01'
const orRefused = (error: unknown): undefined => {
  if (!(error instanceof AppError) || !(error.code in refusals)) throw error
  expect(error.cause).not.toMatchObject({ code: deadlockCode })
  refusals[error.code as keyof typeof refusals]++
  return undefined
}

/** On a busy machine, the provider's message arrives before the request is answered. */
const orFailed = (error: unknown): void => {
  if (!(error instanceof AppError) || error.code !== 'ALL_PROVIDERS_FAILED') throw error
}

const pick = <T>(items: readonly T[]): T => items[Math.floor(Math.random() * items.length)]!

async function moveOnce(accounts: readonly Target[]): Promise<void> {
  const [from, to] = [pick(accounts), pick(accounts)]
  const chance = Math.random()
  if (chance < 0.3) return deposit(to, BigInt(1 + Math.floor(Math.random() * 10_000)))
  const amount = 1 + Math.floor(Math.random() * 80)
  if (chance < 0.8) {
    if (from !== to) await transfer(from, to, amount)
    return
  }
  // Payouts with .14 fail and return the money; the others complete.
  if (chance < 0.85) await withdraw(from, Number(`${amount}.14`)).catch(orFailed)
  else await withdraw(from, amount)
}

/** One statement gives one snapshot: no balance is negative, and the totals match the provider's deposits. */
async function expectConserved(): Promise<void> {
  const { rows } = await t.owner.query(
    `select (select coalesce(min(least(available_minor, held_minor)), 0) from guarded_balances where org_id = $1) >= 0 as solvent,
       (select sum(available_minor + held_minor) from guarded_balances where org_id = $1) =
       (select coalesce(sum(case when credit_account like 'va:%' then amount_minor else 0 end
                          - case when debit_account like 'va:%' then amount_minor else 0 end), 0)
        from ledger_transfers where org_id = $1 and phase in ('posted', 'post')) as conserved`,
    [org.orgId],
  )
  expect(rows).toEqual([{ solvent: true, conserved: true }])
}

it(
  `${sizes.moves} transfers, deposits and withdrawals at once over ${sizes.accounts} accounts: nothing below zero, totals conserved at every snapshot, keys rotated meanwhile, audit clean`,
  { timeout: limitMs },
  async () => {
    const accounts = await openMany(sizes.accounts)
    for (const account of accounts) await deposit(account, 50_000n)
    let left = sizes.moves
    let isDone = false
    let snapshots = 0
    let rotations = 0
    const watcher = (async () => {
      while (!isDone) {
        await expectConserved()
        snapshots++
        if (snapshots % 10 === 5) {
          await t.deps.vault.rotate(org.orgId)
          await resealData(t.deps, org.orgId)
          rotations++
        }
      }
    })()
    const startedAt = Date.now()
    const workers = Array.from({ length: connections }, async () => {
      while (left-- > 0) await moveOnce(accounts).catch(orRefused)
    })
    await Promise.all(workers).finally(() => (isDone = true))
    await watcher
    const seconds = (Date.now() - startedAt) / 1000
    await t.simulator.settle({ all: true })
    await expectConserved()
    await resealData(t.deps, org.orgId)
    for (const { accountId, accountNumber } of accounts)
      expect((await org.account(accountId)).bank_details.account_number).toBe(accountNumber)
    await expectCleanAudit(t)
    expect([snapshots > 0, rotations > 0]).toEqual([true, true])
    expect(refusals.SERVICE_UNAVAILABLE).toBeLessThan(sizes.moves / 10)
    if (isFull)
      process.stdout.write(
        `${sizes.moves} moves in ${seconds.toFixed(1)} s, ${snapshots} snapshots, ${rotations} rotations, ${JSON.stringify(refusals)}\n`,
      )
  },
)

it(
  `two withdrawals that together exceed the balance, ${sizes.races} times: exactly one succeeds`,
  { timeout: limitMs },
  async () => {
    const [account] = await openMany(1)
    let won = 0
    const once = async (): Promise<void> => {
      const race = await Promise.allSettled([withdraw(account!, 60), withdraw(account!, 60)])
      const winners = race.filter(({ status }) => status === 'fulfilled')
      const [loser] = race.filter((one) => one.status === 'rejected')
      expect([winners.length, loser?.reason.code]).toEqual([1, 'INSUFFICIENT_FUNDS'])
      won++
    }
    await deposit(account!, 10_000n)
    for (let round = 0; round < sizes.races; round++) {
      await once()
      await deposit(account!, 6_000n)
    }
    expect(won).toBe(sizes.races)
    await t.simulator.settle({ all: true })
    expect((await org.account(account!.accountId)).available_balance).toBe(100)
    await expectCleanAudit(t)
  },
)

it('a dump of the database has no account number and no phone in clear text', async () => {
  const { rows } = await t.owner.query<{ name: string }>(
    `select format('%I', tablename) as name from pg_tables where schemaname = 'public'`,
  )
  const account = await org.open()
  const canaries = ['0690000049', account.bank_details.account_number]
  for (const { name } of rows)
    for (const canary of canaries) {
      const found = await t.owner.query(`select from ${name} as line where line::text like $1`, [
        `%${canary}%`,
      ])
      expect([name, canary, found.rowCount]).toEqual([name, canary, 0])
    }
})
