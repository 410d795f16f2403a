import { listBoth } from '../kit/both-lists.ts'
import type { Method } from '../kit/connector.ts'
import type { Bank, Network } from '../kit/lists.ts'
import { withQuery, type Form } from '../kit/form-body.ts'
import { handledOf, readData } from '../kit/replies.ts'
import { depositOf } from './accounts.ts'
import { banksSchema, holderSchema, pagesSchema, rowsSchema } from './answers.ts'
import type { PaystackClient } from './client.ts'
import { chargeWords, failureCodeOf, feesBorneByPayer, stateOf, transferWords } from './mapping.ts'

const pageSize = 100
const countryNames = new Map(Object.entries({ GH: 'ghana', KE: 'kenya', NG: 'nigeria', ZA: 'south africa' }))
const walletCountries = ['GH', 'KE']

async function listInstitutions(client: PaystackClient, country: string, filter: Form) {
  const name = countryNames.get(country)
  if (name === undefined) return []
  const { data } = await listed(client, '/bank', { country: name, ...filter })
  return banksSchema.parse(data)
}

export async function listNetworks(client: PaystackClient, country: string): Promise<Network[]> {
  if (!walletCountries.includes(country)) return []
  const found = await listInstitutions(client, country, { type: 'mobile_money' })
  return found.map((bank) => ({
    network: bank.code,
    name: bank.name,
    country,
    currency: bank.currency,
    directions: ['payin', 'payout'],
    status: bank.active ? 'operational' : 'closed',
  }))
}

/** Banks are not filtered by type, because Paystack spells the type of Ghanaian banks differently in its answers. */
export async function listBanks(client: PaystackClient, country: string): Promise<Bank[]> {
  const found = await listInstitutions(client, country, {})
  const banks = found.filter(({ active, type }) => active && !type.startsWith('mobile_money'))
  return banks.map(({ code, name }) => ({ code, name, country }))
}

/** Both are sent as text. The OpenAPI file declares numbers, which would lose leading zeros. */
export const resolveAccount =
  (client: PaystackClient): Method<'resolveAccount'> =>
  async ({ accountNumber: account_number = '', bankCode: bank_code = '' }) => {
    const reply = await client(withQuery('/bank/resolve', { account_number, bank_code }))
    if (reply.kind === 'refused' && [400, 404, 422].includes(reply.status)) return { kind: 'not_found' }
    const accountName = readData(reply, holderSchema)?.account_name
    return accountName
      ? { kind: 'found', accountName }
      : { kind: 'unknown', reason: 'the bank did not answer' }
  }

const sources = {
  payin: { path: '/transaction', words: chargeWords },
  payout: { path: '/transfer', words: transferWords },
} as const

export const listTransactions = (client: PaystackClient): Method<'listTransactions'> =>
  listBoth(async (direction, since, page) => {
    const { path, words } = sources[direction]
    const query = { from: since.toISOString(), per_page: pageSize, page }
    const { data, meta } = await listed(client, path, query)
    const transactions = rowsSchema.parse(data).map((row) => ({
      reference: row.reference ?? null,
      providerRef: row.transfer_code ?? row.id,
      amount: { amountMinor: row.amount - feesBorneByPayer(row), currency: row.currency },
      providerStatus: row.status,
      state: stateOf(words, row.status, failureCodeOf(row)),
      createdAt: new Date(row.created_at ?? row.createdAt ?? since),
      deposit: depositOf(row.deposit),
    }))
    return { transactions, isLast: page >= pagesSchema.parse(meta).pageCount }
  })

const listed = async (client: PaystackClient, path: string, query: Form) =>
  handledOf(await client(withQuery(path, query)), 'Paystack')
