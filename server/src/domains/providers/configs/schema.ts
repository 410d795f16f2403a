import { z } from 'zod'
import { providerNames } from '../../../connectors/registry.ts'
import { installationOrgId } from '../../../kernel/db/vault.ts'
import { rawNumber, type RawNumber } from '../../../lib/text/json.ts'
import { presentFields, textOf } from '../../../lib/text/no-value.ts'
import { pageLimit, type Page } from '../../../lib/requests/paging.ts'
import { countryCode, dateTime, ok, success, uuid, wireDecimal } from '../../../lib/requests/wire.ts'
import { trimDecimals } from '../../../lib/text/trim.ts'
import type { NewProviderConfig, ProviderConfig } from './record.ts'

/** Spec 2.9: provider config. */
const provider = z.enum(providerNames)
const methods = z.enum(['bank_transfer', 'card', 'mobile_money', 'crypto', 'wallet'])
const directions = z.enum(['inbound', 'outbound', 'external'])
const boundLimit = 1e15
const bound = z.number().nonnegative().lt(boundLimit).nullish()

/** The specification has these fields, but nothing here acts on them: a value would be ignored, so it is refused. */
const unused = (why: string) =>
  z
    .string()
    .max(2000)
    .nullish()
    .refine((value) => !value, why)
const unusedFields = {
  api_version: unused('is fixed: each connector speaks one version of the API of its provider. Leave it out'),
  webhook_required: z
    .boolean()
    .optional()
    .refine(
      (value) => value !== true,
      'cannot be true: an outcome is also polled, so that no payment depends on a webhook. Leave it out',
    ),
  webhook_url: unused(
    'is not set here: a provider reports to the webhook_url of its provider account. Leave it out',
  ),
}

const changeable = {
  account_id: uuid.nullish().meta({
    description: 'The merchant account that it uses; by default the owner’s only active one.',
  }),
  priority: z.int().min(0).max(1_000_000).optional(),
  is_active: z.boolean().optional(),
  min_amount: bound,
  max_amount: bound,
  description: z.string().max(1000).nullish(),
  ...unusedFields,
}

export const createConfigBody = z
  .object({
    provider: provider.meta({ example: 'paystack' }),
    country: countryCode,
    payment_method: methods.meta({ example: 'card' }),
    direction: directions.meta({ example: 'inbound' }),
    org_id: uuid.nullish(),
    ...changeable,
  })
  .superRefine((body, context) => {
    for (const [path, message] of railProblems(body))
      context.addIssue({ code: 'custom', path: [path], message })
  })
/** The rails inside Switchyard each move money in one way only. */
function* railProblems(body: {
  provider: string
  payment_method: string
  direction: string
}): Generator<[string, string]> {
  const { provider: name, payment_method: method, direction } = body
  const isInternal = name === 'fiat' || name === 'crypto' || name === 'hybrid'
  const wanted = name === 'fiat' ? 'wallet' : 'crypto'
  if (isInternal && method !== wanted) yield ['payment_method', `must be ${wanted} for ${name}`]
  if (!isInternal && method === 'wallet')
    yield ['provider', 'must be fiat for wallet, which is a book transfer between virtual accounts']
  if (isInternal && direction !== 'external') yield ['direction', `must be external for ${name}`]
}

export const updateConfigBody = z.object(changeable)
export const configParams = z.object({ provider, config_id: uuid })
export const listConfigsQuery = z.object({
  provider: provider.optional(),
  limit: pageLimit,
  last_evaluated_key: z.string().max(1024).optional(),
})

export const config = z
  .object({
    config_id: uuid,
    provider,
    country: z.string(),
    payment_method: methods,
    direction: directions,
    account_id: uuid.nullable(),
    api_version: z.string(),
    priority: z.int(),
    is_active: z.boolean(),
    webhook_required: z.boolean(),
    org_id: uuid.nullable(),
    min_amount: wireDecimal.optional().meta({ description: 'Left out if there is no bound.' }),
    max_amount: wireDecimal.optional().meta({ description: 'Left out if there is no bound.' }),
    description: z.string(),
    webhook_url: z.string(),
    created_at: dateTime,
    updated_at: dateTime,
  })
  .meta({ id: 'ProviderConfig' })

export const configResponse = success(config)
export const configPage = success(z.array(config)).extend({
  meta: z.object({ count: z.int(), last_evaluated_key: z.string().nullable() }),
})
export const nothing = z.null().meta({ description: 'No content.' })

type Changes = z.infer<typeof updateConfigBody>

export const fromChanges = (body: Changes): Partial<NewProviderConfig> => ({
  ...(body.account_id !== undefined && { accountId: body.account_id }),
  ...(body.priority !== undefined && { priority: body.priority }),
  ...(body.is_active !== undefined && { isActive: body.is_active }),
  ...(body.min_amount !== undefined && {
    minAmount: body.min_amount === null ? null : String(body.min_amount),
  }),
  ...(body.max_amount !== undefined && {
    maxAmount: body.max_amount === null ? null : String(body.max_amount),
  }),
  ...(body.description !== undefined && { description: body.description }),
})

export const fromNewConfig = (
  body: z.infer<typeof createConfigBody>,
): Omit<NewProviderConfig, 'configId'> => ({
  provider: body.provider,
  country: body.country,
  paymentMethod: body.payment_method,
  direction: body.direction,
  accountId: null,
  priority: 100,
  isActive: true,
  minAmount: null,
  maxAmount: null,
  description: null,
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
  api_version: '',
  priority: row.priority,
  is_active: row.isActive,
  webhook_required: false,
  org_id: ownerView(row.orgId),
  ...presentFields({ min_amount: decimal(row.minAmount), max_amount: decimal(row.maxAmount) }),
  description: textOf(row.description),
  webhook_url: '',
  created_at: row.createdAt.toISOString(),
  updated_at: row.updatedAt.toISOString(),
})

export const toConfigPage = (page: Page<ProviderConfig>): z.input<typeof configPage> => ({
  ...ok('Provider configurations, newest first.', page.items.map(toConfig)),
  meta: { count: page.items.length, last_evaluated_key: page.nextCursor },
})
