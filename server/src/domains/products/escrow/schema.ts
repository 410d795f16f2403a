import { z } from 'zod'
import { isFiat, wireAmount } from '../../../lib/money/money.ts'
import { pageLimit, type Page } from '../../../lib/requests/paging.ts'
import { dateTime, ok, shortText, success, uuid, wireDecimal } from '../../../lib/requests/wire.ts'
import { amount } from './milestones/schema.ts'
import type { EscrowWithTotals, Party, NewParty } from './record.ts'

const currency = z.string().refine(isFiat, 'must be a known ISO 4217 currency').meta({ example: 'NGN' })
const statuses = z.enum(['active', 'canceled'])

export const escrowParams = z.object({ escrow_id: uuid })
export const createEscrowBody = z.object({
  name: shortText,
  currency,
  description: z.string().trim().max(2000).nullish(),
  custody: z.enum(['pooled', 'own']).default('pooled').meta({
    description: 'Where its money lies: it is funded from and paid to accounts of the same custody.',
  }),
})
export const listEscrowsQuery = z.object({
  status: statuses.optional(),
  limit: pageLimit,
  last_evaluated_key: z.string().max(1024).optional(),
})
export const fundBody = z.object({
  account_id: uuid,
  amount,
  reference: z.string().trim().min(1).max(255).nullish(),
})
export const cancelBody = z.object({ reason: z.string().trim().min(1).max(500).nullish() }).optional()
export const addPartyBody = z.object({
  name: shortText,
  account_id: uuid.nullish().meta({ description: 'A virtual account; either this or beneficiary_id.' }),
  beneficiary_id: uuid.nullish(),
})

const escrow = z
  .object({
    escrow_id: uuid,
    org_id: uuid,
    user_id: z.string(),
    name: z.string(),
    description: z.string(),
    currency: z.string(),
    account_id: uuid.meta({ description: 'The virtual account that holds the escrow’s money.' }),
    status: statuses,
    funded_total: wireDecimal,
    disbursed_total: wireDecimal,
    returned_total: wireDecimal,
    balance: wireDecimal.meta({ description: 'The funded amount less disbursed and returned amounts.' }),
    created_at: dateTime,
    updated_at: dateTime,
  })
  .meta({ id: 'Escrow' })

const party = z
  .object({
    party_id: uuid,
    escrow_id: uuid,
    name: z.string(),
    account_id: uuid.nullable().meta({ description: 'Paid by book transfer.' }),
    beneficiary_id: uuid.nullable().meta({ description: 'Paid by payout.' }),
    created_at: dateTime,
  })
  .meta({ id: 'EscrowParty' })

export const escrowResponse = success(escrow)
export const escrowPage = success(z.array(escrow)).extend({
  meta: z.object({ count: z.int(), last_evaluated_key: z.string().nullable() }),
})
export const partyResponse = success(party)
export const partyList = success(z.array(party)).extend({ count: z.int() })

export const toNewParty = (escrowId: string, body: z.infer<typeof addPartyBody>): NewParty => ({
  escrowId,
  name: body.name,
  accountId: body.account_id ?? null,
  beneficiaryId: body.beneficiary_id ?? null,
})

export const toEscrow = (row: EscrowWithTotals): z.input<typeof escrow> => ({
  escrow_id: row.escrowId,
  org_id: row.orgId,
  user_id: row.userId,
  name: row.name,
  description: row.description ?? '',
  currency: row.currency,
  account_id: row.accountId,
  status: row.status,
  funded_total: wireAmount(row.fundedMinor, row.currency),
  disbursed_total: wireAmount(row.disbursedMinor, row.currency),
  returned_total: wireAmount(row.returnedMinor, row.currency),
  balance: wireAmount(row.fundedMinor - row.disbursedMinor - row.returnedMinor, row.currency),
  created_at: row.createdAt.toISOString(),
  updated_at: row.updatedAt.toISOString(),
})

export const toEscrowPage = (page: Page<EscrowWithTotals>): z.input<typeof escrowPage> => ({
  ...ok('Escrows, newest first.', page.items.map(toEscrow)),
  meta: { count: page.items.length, last_evaluated_key: page.nextCursor },
})

export const toParty = (row: Party): z.input<typeof party> => ({
  party_id: row.partyId,
  escrow_id: row.escrowId,
  name: row.name,
  account_id: row.accountId,
  beneficiary_id: row.beneficiaryId,
  created_at: row.createdAt.toISOString(),
})

export const toPartyList = (rows: readonly Party[]): z.input<typeof partyList> => ({
  ...ok('Parties of the escrow, oldest first.', rows.map(toParty)),
  count: rows.length,
})
