import { z } from 'zod'
import { permissions } from '../../../lib/requests/access.ts'
import { isNetwork } from '../../../lib/net/networks.ts'
import { pageLimit, type Page } from '../../../lib/requests/paging.ts'
import { dateTime, ok, shortText, success, uuid } from '../../../lib/requests/wire.ts'
import type { ApiKey, CreatedApiKey } from './record.ts'
import { keyStatus } from './rules.ts'

const overlapLimitSeconds = 7 * 24 * 60 * 60

export const apiKeyParams = z.object({ api_key_id: uuid })

export const listApiKeysQuery = z.object({
  org_id: uuid.optional(),
  limit: pageLimit,
  last_evaluated_key: z.string().max(1024).optional(),
})

export const createApiKeyBody = z.object({
  name: shortText,
  scopes: z.array(z.enum(permissions)).min(1).max(permissions.length).optional(),
  allowed_ips: z
    .array(
      z
        .string()
        .max(49)
        .refine(isNetwork, 'must be an IP address or a network such as 203.0.113.0/24')
        .meta({ example: '203.0.113.0/24' }),
    )
    .min(1)
    .max(50)
    .optional()
    .meta({ description: 'The addresses and networks that the key may be used from; without it, anywhere.' }),
  expires_at: z.iso.datetime({ offset: true }).optional(),
})

export const rotateApiKeyBody = z
  .object({ overlap_seconds: z.int().min(0).max(overlapLimitSeconds).default(0) })
  .optional()

export const apiKey = z
  .object({
    api_key_id: uuid,
    prefix: z.string(),
    name: z.string(),
    org_id: uuid,
    user_id: z.string(),
    status: z.enum(['active', 'expiring', 'revoked', 'expired']),
    scopes: z.array(z.string()).nullable(),
    allowed_ips: z
      .array(z.string())
      .nullable()
      .meta({ description: 'Null: the key may be used from anywhere.' }),
    expires_at: dateTime.nullable(),
    last_used_at: dateTime
      .nullable()
      .meta({ description: 'Accurate to a minute; null when the key was never used.' }),
    created_at: dateTime,
    updated_at: dateTime,
  })
  .meta({ id: 'ApiKey' })

export const createdApiKeyResponse = success(
  apiKey.extend({ api_key: z.string().meta({ description: 'The key itself; it is shown only once.' }) }),
)

export const apiKeyPage = success(z.array(apiKey)).extend({
  meta: z.object({
    count: z.int(),
    total_count: z.int(),
    last_evaluated_key: z.string().nullable(),
    has_more: z.boolean(),
  }),
})

export const nothing = z.null().meta({ description: 'No content.' })

export const toApiKey = (row: ApiKey, now: Date): z.input<typeof apiKey> => ({
  api_key_id: row.apiKeyId,
  prefix: row.prefix,
  name: row.name,
  org_id: row.orgId,
  user_id: row.userId,
  status: keyStatus(row, now),
  scopes: row.scopes,
  allowed_ips: row.allowedIps,
  expires_at: row.expiresAt?.toISOString() ?? null,
  last_used_at: row.lastUsedAt?.toISOString() ?? null,
  created_at: row.createdAt.toISOString(),
  updated_at: row.updatedAt.toISOString(),
})

export const toCreatedApiKey = (created: CreatedApiKey, now: Date): z.input<typeof createdApiKeyResponse> =>
  ok('API key created. Store it now: it is not shown again.', {
    ...toApiKey(created.apiKey, now),
    api_key: created.secret,
  })

export const toApiKeyPage = (
  page: Page<ApiKey> & { totalCount: number },
  now: Date,
): z.input<typeof apiKeyPage> => ({
  ...ok(
    'API keys, newest first.',
    page.items.map((row) => toApiKey(row, now)),
  ),
  meta: {
    count: page.items.length,
    total_count: page.totalCount,
    last_evaluated_key: page.nextCursor,
    has_more: page.nextCursor !== null,
  },
})
