import { z } from 'zod'
import type { Caller } from '../../../lib/requests/access.ts'
import { mask } from '../../../lib/text/masking.ts'
import { isFiat, wireAmount } from '../../../lib/money/money.ts'
import { presentFields } from '../../../lib/text/no-value.ts'
import { pageLimit, type Page } from '../../../lib/requests/paging.ts'
import { dateTime, ok, shortText, success, userId, uuid, wireDecimal } from '../../../lib/requests/wire.ts'
import type { OpenedVirtualAccount, NewAccount } from './record.ts'

/** Spec 2.9 and 4.12. */
const currency = z.string().refine(isFiat, 'must be a known ISO 4217 currency').meta({ example: 'NGN' })
const statuses = z.enum(['active', 'frozen', 'closed'])

export const openAccountBody = z.object({
  org_id: uuid,
  user_id: userId,
  currency,
  customer_id: z.string().trim().min(1).max(255).optional(),
  org_name: shortText.optional(),
})
export const accountParams = z.object({ account_id: uuid })
export const freezeBody = z.object({ reason: z.string().trim().min(1).max(500).nullish() }).optional()
export const listAccountsQuery = z.object({
  user_id: userId.optional(),
  customer_id: z.string().max(255).optional(),
  currency: z.string().max(10).optional(),
  status: statuses.optional(),
  limit: pageLimit,
  last_evaluated_key: z.string().max(1024).optional(),
})

const virtualAccount = z
  .object({
    account_id: uuid,
    org_id: uuid,
    user_id: z.string(),
    customer_id: z.string(),
    virtual_account_name: z.string(),
    currency: z.string(),
    balance: wireDecimal.meta({ description: 'The total balance, including held money.' }),
    available_balance: wireDecimal.meta({ description: 'The balance less held money.' }),
    held_balance: wireDecimal.meta({ description: 'Held for pending withdrawals.' }),
    status: statuses,
    account_type: z.enum(['currency', 'escrow']),
    provider: z.string(),
    custody: z
      .enum(['pooled', 'own'])
      .meta({ description: 'Where its money lies: with the installation, or at an account of yours.' }),
    bank_details: z
      .object({
        account_number: z.string().meta({ description: 'The IBAN if the bank has no other number.' }),
        account_name: z.string(),
        bank_name: z.string(),
        sort_code: z.string().optional().meta({ description: 'Of an account in the United Kingdom.' }),
        routing_number: z.string().optional().meta({ description: 'Of an account in the United States.' }),
        iban: z.string().optional(),
      })
      .nullable()
      .meta({ description: 'The bank details to pay into; null for an internal account.' }),
    created_at: dateTime,
    updated_at: dateTime,
  })
  .meta({ id: 'VirtualAccount' })

export const accountResponse = success(virtualAccount)
export const accountPage = success(z.array(virtualAccount)).extend({
  meta: z.object({ count: z.int(), last_evaluated_key: z.string().nullable() }),
})

export const toNewAccount = (body: z.infer<typeof openAccountBody>): NewAccount => ({
  orgId: body.org_id,
  userId: body.user_id,
  currency: body.currency,
  customerId: body.customer_id ?? null,
  name: body.org_name ?? null,
})

const toAccount = (account: OpenedVirtualAccount, inFull: boolean): z.input<typeof virtualAccount> => ({
  account_id: account.accountId,
  org_id: account.orgId,
  user_id: account.userId,
  customer_id: account.customerId ?? '',
  virtual_account_name: account.name,
  currency: account.currency,
  balance: wireAmount(account.availableMinor + account.heldMinor, account.currency),
  available_balance: wireAmount(account.availableMinor, account.currency),
  held_balance: wireAmount(account.heldMinor, account.currency),
  status: account.status,
  account_type: account.accountType,
  provider: account.provider,
  custody: account.custody,
  bank_details: account.details && {
    account_number: inFull ? account.details.accountNumber : mask(account.details.accountNumber),
    account_name: account.details.accountName,
    bank_name: account.details.bankName,
    ...presentFields({
      sort_code: account.details.sortCode,
      routing_number: account.details.routingNumber,
      iban: inFull ? account.details.iban : account.details.iban && mask(account.details.iban),
    }),
  },
  created_at: account.createdAt.toISOString(),
  updated_at: account.updatedAt.toISOString(),
})

/** Masks the account number unless the caller may see it in full. */
export const toVisible = (caller: Caller, account: OpenedVirtualAccount): z.input<typeof virtualAccount> =>
  toAccount(account, caller.permissions.has('personal-data:read'))

export const toAccountPage = (page: Page<OpenedVirtualAccount>): z.input<typeof accountPage> => ({
  ...ok(
    'Virtual accounts, newest first.',
    page.items.map((account) => toAccount(account, false)),
  ),
  meta: { count: page.items.length, last_evaluated_key: page.nextCursor },
})
