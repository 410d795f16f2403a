import { z } from 'zod'
import { installationOrgId } from '../../../../kernel/db/vault.ts'
import { pageLimit, type Page } from '../../../../lib/requests/paging.ts'
import { dateTime, ok, shortText, success, uuid } from '../../../../lib/requests/wire.ts'
import type { ScreenedAddress } from './record.ts'

const address = z
  .string()
  .min(10)
  .max(128)
  .regex(/^[A-Za-z0-9]+$/, 'must be a wallet address')
  .meta({ example: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed' })

export const addressParams = z.object({ address })
export const setAddressBody = z.object({
  verdict: z.enum(['allow', 'deny']),
  reason: shortText,
  /** Only for the operator: the entry applies to every organisation. */
  everywhere: z.boolean().default(false),
})
export const removeAddressQuery = z.object({ everywhere: z.stringbool().default(false) })
export const listAddressesQuery = z.object({
  limit: pageLimit,
  last_evaluated_key: z.string().max(1024).optional(),
})

const screenedAddress = z
  .object({
    address: z.string(),
    verdict: z.enum(['allow', 'deny']),
    reason: z.string(),
    org_id: uuid.nullable().meta({ description: 'Null for an entry that holds for every organisation.' }),
    created_at: dateTime,
  })
  .meta({ id: 'ScreenedAddress' })

export const addressResponse = success(screenedAddress)
export const addressPage = success(z.array(screenedAddress)).extend({
  meta: z.object({ count: z.int(), last_evaluated_key: z.string().nullable() }),
})
export const nothing = z.null().meta({ description: 'No content.' })

export const toScreenedAddress = (row: ScreenedAddress): z.input<typeof screenedAddress> => ({
  address: row.address,
  verdict: row.verdict === 'allow' ? 'allow' : 'deny',
  reason: row.reason,
  org_id: row.orgId === installationOrgId ? null : row.orgId,
  created_at: row.createdAt.toISOString(),
})

export const toAddressPage = (page: Page<ScreenedAddress>): z.input<typeof addressPage> => ({
  ...ok('Addresses that are allowed or denied, newest first.', page.items.map(toScreenedAddress)),
  meta: { count: page.items.length, last_evaluated_key: page.nextCursor },
})
