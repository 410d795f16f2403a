import type { AccountHolder } from '../kit/accounts.ts'
import { z } from 'zod'
import { readMoney } from '../../lib/money/money.ts'
import { listBoth } from '../kit/both-lists.ts'
import type { Attempt, BankAccount, Method } from '../kit/connector.ts'
import type { Bank } from '../kit/lists.ts'
import { handledOf, readData, type Reply } from '../kit/replies.ts'
import { accountSchema, banksSchema, movementSchema, pageInfoSchema } from './answers.ts'
import type { FlutterwaveClient } from './client.ts'
import { movementState } from './mapping.ts'

const pagesLimit = 10

export const verifyCharge = (client: FlutterwaveClient, { reference }: Attempt): Promise<Reply> =>
  client(`/transactions/verify_by_reference?tx_ref=${reference}`)

/** All rows of a paged list. Undefined: the list is incomplete. */
export async function listAll<Row>(
  client: FlutterwaveClient,
  path: string,
  schema: z.ZodType<Row>,
): Promise<Row[] | undefined> {
  const rows: Row[] = []
  for (let page = 1; page <= pagesLimit; page += 1) {
    const reply = await client(`${path}&page=${page}`)
    const listed = z.object({ data: z.array(schema), meta: pageInfoSchema }).safeParse(reply).data
    if (!listed) return undefined
    rows.push(...listed.data)
    if (page >= listed.meta.page_info.total_pages) return rows
  }
  return undefined
}

const paths = { payin: '/transactions', payout: '/transfers' } as const

/** Flutterwave filters by whole days. */
export const listTransactions = (client: FlutterwaveClient): Method<'listTransactions'> =>
  listBoth(async (direction, since, page) => {
    const query = `from=${since.toISOString().slice(0, 10)}&page=${page}`
    const { data, meta } = await listed(client, `${paths[direction]}?${query}`)
    const rows = z.array(movementSchema).parse(data)
    const transactions = rows.flatMap(({ id: providerRef, reference, status: providerStatus, ...row }) => {
      const amount = readMoney(row.amount, row.currency)
      const createdAt = new Date(row.created_at ?? since)
      const state = movementState(direction, { ...row, status: providerStatus })
      const isWanted = amount !== undefined && createdAt >= since
      return isWanted ? [{ reference, providerRef, amount, providerStatus, state, createdAt }] : []
    })
    return { transactions, isLast: page >= pageInfoSchema.parse(meta).page_info.total_pages }
  })

export async function listBanks(client: FlutterwaveClient, country: string): Promise<Bank[]> {
  const { data } = await listed(client, `/banks/${encodeURIComponent(country)}`)
  return banksSchema.parse(data).map((bank) => ({ ...bank, country }))
}

const listed = async (client: FlutterwaveClient, path: string) => handledOf(await client(path), 'Flutterwave')

export async function resolveAccount(
  client: FlutterwaveClient,
  { accountNumber, bankCode }: BankAccount,
): Promise<AccountHolder> {
  const reply = await client('/accounts/resolve', { account_number: accountNumber, account_bank: bankCode })
  if (reply.kind === 'refused' && reply.status === 400) return { kind: 'not_found' }
  const accountName = readData(reply, accountSchema)?.account_name
  return accountName ? { kind: 'found', accountName } : { kind: 'unknown', reason: 'no readable answer' }
}
