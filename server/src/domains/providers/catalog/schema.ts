import { z } from 'zod'
import { features, permissions, rolePermissions, roles } from '../../../lib/requests/access.ts'
import { ok, success } from '../../../lib/requests/wire.ts'
import { buildExample } from '../../events/webhooks/build-example.ts'
import { eventDataSchemas, eventTypes } from '../../events/webhooks/events.ts'
import { permissionTexts, roleTexts } from './describe-permissions.ts'
import type { ProviderEntry } from './record.ts'

export const rolesResponse = success(
  z
    .object({
      roles: z.array(
        z.object({
          role: z.enum(roles),
          description: z.string(),
          permissions: z.array(z.enum(permissions)),
        }),
      ),
      permissions: z.array(
        z.object({
          permission: z.enum(permissions),
          resource: z.string(),
          action: z.string(),
          description: z.string(),
        }),
      ),
      features: z.array(z.enum(features)),
    })
    .meta({ id: 'RoleCatalog' }),
)

export const toRoles = (): z.input<typeof rolesResponse> =>
  ok('Roles, from the highest to the lowest, and permissions.', {
    roles: roles.map((role) => ({
      role,
      description: roleTexts[role],
      permissions: [...rolePermissions[role]],
    })),
    permissions: permissions.map((permission) => {
      const [resource = '', action = ''] = permission.split(':')
      return { permission, resource, action, description: permissionTexts[permission] }
    }),
    features: [...features],
  })

const eventEntry = z
  .object({
    event_type: z.enum(eventTypes),
    description: z.string(),
    example: z
      .record(z.string(), z.unknown())
      .meta({ description: 'The body of a delivery, as a receiver gets it.' }),
  })
  .meta({ id: 'EventCatalogEntry' })

export const eventsResponse = success(z.array(eventEntry)).extend({ count: z.int() })

export const toEvents = (): z.input<typeof eventsResponse> => ({
  ...ok(
    'The types of events that webhooks receive.',
    eventTypes.map((eventType) => ({
      event_type: eventType,
      description: eventDataSchemas[eventType].meta()?.description ?? '',
      example: buildExample(eventType),
    })),
  ),
  count: eventTypes.length,
})

const providerEntry = z
  .object({
    provider: z.string(),
    capabilities: z.array(
      z.object({
        direction: z.enum(['payin', 'payout', 'on_ramp', 'off_ramp']),
        payment_method: z.string(),
        countries: z.array(z.string()),
        currencies: z.array(z.string()),
      }),
    ),
    features: z.object({
      refunds: z.boolean(),
      one_time_passwords: z.boolean(),
      cancellation: z.boolean(),
      webhooks: z.boolean(),
      account_names: z.boolean(),
      bank_lists: z.boolean(),
      network_lists: z.boolean(),
      transaction_lists: z.boolean(),
      disputes: z.boolean(),
      identifies_keys: z.boolean(),
      account_currencies: z.array(z.string()),
    }),
    webhook_signature: z.string().nullable(),
    sandbox_hosts: z.array(z.string()),
    credential_fields: z.array(
      z.object({
        name: z.string(),
        type: z.string(),
        is_required: z.boolean(),
        is_secret: z.boolean(),
        schema: z.record(z.string(), z.unknown()).meta({ description: 'JSON schema, with the default.' }),
      }),
    ),
  })
  .meta({ id: 'ProviderCatalogEntry' })

export const providersResponse = success(z.array(providerEntry)).extend({ count: z.int() })

export const toProviders = (entries: readonly ProviderEntry[]): z.input<typeof providersResponse> => ({
  ...ok('Providers, with what they can do and what is stored for them.', entries.map(toProvider)),
  count: entries.length,
})

const toProvider = (entry: ProviderEntry): z.input<typeof providerEntry> => ({
  provider: entry.provider,
  capabilities: entry.capabilities.map(({ direction, method, countries, currencies }) => ({
    direction,
    payment_method: method,
    countries: [...countries],
    currencies: [...currencies],
  })),
  features: {
    refunds: entry.features.refunds,
    one_time_passwords: entry.features.oneTimePasswords,
    cancellation: entry.features.cancellation,
    webhooks: entry.features.webhooks,
    account_names: entry.features.accountNames,
    bank_lists: entry.features.bankLists,
    network_lists: entry.features.networkLists,
    transaction_lists: entry.features.transactionLists,
    disputes: entry.features.disputes,
    identifies_keys: entry.features.identifiesKeys,
    account_currencies: [...entry.features.accountCurrencies],
  },
  webhook_signature: entry.webhookSignature,
  sandbox_hosts: [...entry.sandboxHosts],
  credential_fields: entry.credentialFields.map(({ name, type, isRequired, isSecret, schema }) => ({
    name,
    type,
    is_required: isRequired,
    is_secret: isSecret,
    schema,
  })),
})
