import { z } from 'zod'
import { providerNames } from '../../connectors/registry.ts'
import { installationOrgId } from '../../db/vault.ts'
import { rawNumber, type RawNumber } from '../../lib/json.ts'
import { pageLimit, type Page } from '../../lib/paging.ts'
import { countryCode, dateTime, ok, success, uuid, wireDecimal } from '../../lib/wire.ts'
import { trimDecimals } from '../../lib/trim.ts'
import type { NewProviderConfig, ProviderConfig } from './record.ts'

/** Spec 2.9: provider config. */
const provider = z.enum(providerNames)
const methods = z.enum(['bank_transfer', 'card', 'mobile_money', 'crypto', 'wallet'])
const directions = z.enum(['inbound', 'outbound', 'external'])
const boundLimit = 1e15
const bound = z.number().nonnegative().lt(boundLimit).nullish()

const changeable = {
  account_id: uuid.nullish().meta({
    description: 'The merchant account that it uses; by default the owner’s only active one.',
  }),
  api_version: z.string().max(60).nullish(),
  priority: z.int().min(0).max(1_000_000).optional(),
  is_active: z.boolean().optional(),
  webhook_required: z.boolean().optional(),
  min_amount: bound,
  max_amount: bound,
  description: z.string().max(1000).nullish(),
  webhook_url: z.url().max(2000).nullish(),
}

export const createConfigBody = z.object({
  provider,
  country: countryCode,
  payment_method: methods,
  direction: directions,
  org_id: uuid.nullish(),
  ...changeable,
})
export const updateConfigBody = z.object(changeable)
export const configParams = z.object({ provider, config_id: uuid })
export const listConfigsQuery = z.object({
  provider: provider.optional(),
  limit: pageLimit,
  last_evaluated_key: z.string().max(1024).optional(),
})

const config = z
  .object({
    config_id: uuid,
    provider,
    country: z.string(),
    payment_method: methods,
    direction: directions,
    account_id: uuid.nullable(),
    api_version: z.string().nullable(),
    priority: z.int(),
    is_active: z.boolean(),
    webhook_required: z.boolean(),
    org_id: uuid.nullable(),
    min_amount: wireDecimal.nullable(),
    max_amount: wireDecimal.nullable(),
    description: z.string().nullable(),
    webhook_url: z.string().nullable(),
    created_at: dateTime,
    updated_at: dateTime,
  })
  .meta({ id: 'ProviderConfig' })

export const configResponse = success(config)
export const configPage = success(z.array(config)).extend({
  meta: z.object({ count: z.int(), last_evaluated_key: z.string().nullable() }),
})
export const nothing = z.null().meta({ description: 'No content.' })

type Changes = z.infer<z.ZodObject<typeof changeable>>

export const fromChanges = (body: Changes): Partial<NewProviderConfig> => ({
  ...(body.api_version !== undefined && { apiVersion: body.api_version }),
  ...(body.account_id !== undefined && { accountId: body.account_id }),
  ...(body.priority !== undefined && { priority: body.priority }),
  ...(body.is_active !== undefined && { isActive: body.is_active }),
  ...(body.webhook_required !== undefined && { webhookRequired: body.webhook_required }),
  ...(body.min_amount !== undefined && {
    minAmount: body.min_amount === null ? null : String(body.min_amount),
  }),
  ...(body.max_amount !== undefined && {
    maxAmount: body.max_amount === null ? null : String(body.max_amount),
  }),
  ...(body.description !== undefined && { description: body.description }),
  ...(body.webhook_url !== undefined && { webhookUrl: body.webhook_url }),
})

export const fromNewConfig = (
  body: z.infer<typeof createConfigBody>,
): Omit<NewProviderConfig, 'configId'> => ({
  provider: body.provider,
  country: body.country,
  paymentMethod: body.payment_method,
  direction: body.direction,
  accountId: null,
  apiVersion: null,
  priority: 100,
  isActive: true,
  webhookRequired: false,
  minAmount: null,
  maxAmount: null,
  description: null,
  webhookUrl: null,
  ...fromChanges(body),
})

/** numeric(38,18) without the zeros that Postgres pads it with. */
function decimal(text: string | null): RawNumber | null {
  if (text === null) return null
  return rawNumber(text.includes('.') ? trimDecimals(text, 1) : `${text}.0`)
}

const ownerView = (orgId: string): string | null => (orgId === installationOrgId ? null : orgId)

export const toConfig = (row: ProviderConfig): z.input<typeof config> => ({
  config_id: row.configId,
  provider: provider.parse(row.provider),
  country: row.country,
  payment_method: methods.parse(row.paymentMethod),
  direction: directions.parse(row.direction),
  account_id: row.accountId,
  api_version: row.apiVersion,
  priority: row.priority,
  is_active: row.isActive,
  webhook_required: row.webhookRequired,
  org_id: ownerView(row.orgId),
  min_amount: decimal(row.minAmount),
  max_amount: decimal(row.maxAmount),
  description: row.description,
  webhook_url: row.webhookUrl,
  created_at: row.createdAt.toISOString(),
  updated_at: row.updatedAt.toISOString(),
})

export const toConfigPage = (page: Page<ProviderConfig>): z.input<typeof configPage> => ({
  ...ok('Provider configurations, newest first.', page.items.map(toConfig)),
  meta: { count: page.items.length, last_evaluated_key: page.nextCursor },
})
