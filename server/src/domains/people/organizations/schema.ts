import { z } from 'zod'
import { effectivePermissions, features, permissions, roles } from '../../../lib/requests/access.ts'
import { pageLimit, type Page } from '../../../lib/requests/paging.ts'
import { countryCode, dateTime, ok, plainName, success, userId, uuid } from '../../../lib/requests/wire.ts'
import { isAppScheme } from '../../../lib/net/return-target.ts'
import type { Member } from './members/record.ts'
import { cardPolicies, type Organization, type OrganizationChange } from './record.ts'
import { imageTypeOf, publicNameOf } from './rules.ts'

export const orgParams = z.object({ org_id: uuid })
export const memberParams = z.object({ org_id: uuid, user_id: userId })
export const pageQuery = z.object({ limit: pageLimit, lastEvaluatedKey: z.string().max(1024).optional() })

const logoLimitBytes = 64 * 1024
const logoTextLimit = Math.ceil(logoLimitBytes / 3) * 4

const permission = z.enum(permissions)
const role = z.enum(roles)
const feature = z.enum(features)

export const organization = z
  .object({
    org_id: uuid,
    name: z.string(),
    country: z.string(),
    public_name: z.string().meta({
      description:
        'What payers see: after a change of the name, the verified one until the new one is verified.',
    }),
    is_verification_outdated: z.boolean().meta({
      description:
        'The name or the country was changed since the verification, which has to be started again.',
    }),
    features: z.array(z.string()),
    kyb_status: z.enum(['not_started', 'pending', 'in_review', 'approved', 'rejected']),
    kyb_customer_id: z.string().nullable(),
    kyb_reason: z.string().nullable(),
    payouts_require_kyb: z.boolean(),
    own_accounts_only: z.boolean(),
    cards: z.enum(cardPolicies),
    rate_margin_bps: z.int(),
    return_url_hosts: z.array(z.string()),
    return_url_schemes: z.array(z.string()),
    brand_color: z.string().nullable(),
    has_logo: z.boolean(),
    created_at: dateTime,
    updated_at: dateTime,
  })
  .meta({ id: 'Organization' })

export const member = z
  .object({
    org_id: uuid,
    user_id: z.string(),
    email: z.string(),
    first_name: z.string(),
    last_name: z.string(),
    country: z.string().nullable(),
    role,
    permissions: z.array(permission),
    created_at: dateTime,
    updated_at: dateTime,
  })
  .meta({ id: 'Member' })

const person = {
  user_id: userId.meta({ description: 'The subject claim of the identity provider for this user.' }),
  email: z.email().max(320),
  first_name: plainName,
  last_name: plainName,
  country: countryCode.nullish(),
}

export const addMemberBody = z.object({ ...person, role })
export const createOrganizationBody = z.object({
  name: plainName,
  country: countryCode,
  features: z.array(feature).default([]),
  admin: z.object(person),
})
export const updateOrganizationBody = z.object({
  name: plainName.optional(),
  country: countryCode.optional(),
  features: z.array(feature).optional(),
  payouts_require_kyb: z.boolean().optional(),
  own_accounts_only: z
    .boolean()
    .optional()
    .meta({ description: 'Never route over the provider accounts of the installation.' }),
  cards: z.enum(cardPolicies).optional().meta({
    description: 'hosted_only: cards are entered on the provider’s page, and card_details is refused.',
  }),
  rate_margin_bps: z.int().min(0).max(5000).optional(),
  return_url_hosts: z
    .array(z.string().regex(/^[a-z0-9.-]{1,253}$/))
    .max(50)
    .optional(),
  return_url_schemes: z
    .array(z.string().refine(isAppScheme, 'must be the scheme of an app in lower case, such as myapp'))
    .max(20)
    .optional()
    .meta({ example: ['myapp'], description: 'Schemes of your apps, to which a return_url may lead.' }),
  brand_color: z
    .string()
    .toLowerCase()
    .regex(/^#[0-9a-f]{6}$/, 'must be a colour such as #0b6e4f')
    .nullish()
    .meta({ example: '#0b6e4f', description: 'The accent colour of the payment page.' }),
  logo: z
    .base64()
    .max(logoTextLimit)
    .refine((text) => imageTypeOf(Buffer.from(text, 'base64')) !== undefined, 'must be PNG, JPEG or WebP')
    .nullish()
    .meta({ example: null, description: 'PNG, JPEG or WebP of at most 64 KB, in base64.' }),
})
export const updateMemberBody = z.object({
  first_name: plainName.optional(),
  last_name: plainName.optional(),
  country: countryCode.nullish(),
  role: role.optional(),
})
export const permissionsBody = z.object({ permissions: z.array(permission).min(1).max(permissions.length) })
export const replacePermissionsBody = z.object({ permissions: z.array(permission).max(permissions.length) })
export const checkPermissionQuery = z.object({ permission })

export const organizationResponse = success(organization)
export const memberResponse = success(member)
export const permissionCheckResponse = success(
  z.object({ user_id: z.string(), permission, allowed: z.boolean() }),
)

const pageMeta = z.object({ count: z.int(), lastEvaluatedKey: z.string().nullable() })
export const organizationPage = success(z.array(organization)).extend({ meta: pageMeta })
export const memberPage = success(z.array(member)).extend({ meta: pageMeta })

export const toOrganization = (row: Organization): z.input<typeof organization> => ({
  org_id: row.orgId,
  name: row.name,
  country: row.country,
  public_name: publicNameOf(row),
  is_verification_outdated: row.verifiedName !== null,
  features: row.features,
  kyb_status: organization.shape.kyb_status.parse(row.kybStatus),
  kyb_customer_id: row.kybCustomerId,
  kyb_reason: row.kybReason,
  payouts_require_kyb: row.payoutsRequireKyb,
  own_accounts_only: row.ownAccountsOnly,
  cards: row.cards,
  rate_margin_bps: row.rateMarginBps,
  return_url_hosts: row.returnUrlHosts,
  return_url_schemes: row.returnUrlSchemes,
  brand_color: row.brandColor,
  has_logo: row.hasLogo,
  created_at: row.createdAt.toISOString(),
  updated_at: row.updatedAt.toISOString(),
})

export const toOrganizationChange = (body: z.infer<typeof updateOrganizationBody>): OrganizationChange => ({
  name: body.name,
  country: body.country,
  features: body.features,
  payoutsRequireKyb: body.payouts_require_kyb,
  ownAccountsOnly: body.own_accounts_only,
  cards: body.cards,
  rateMarginBps: body.rate_margin_bps,
  returnUrlHosts: body.return_url_hosts,
  returnUrlSchemes: body.return_url_schemes,
  brandColor: body.brand_color,
  logo: typeof body.logo === 'string' ? Buffer.from(body.logo, 'base64') : body.logo,
})

export const toMemberView = (row: Member): z.input<typeof member> => ({
  org_id: row.orgId,
  user_id: row.userId,
  email: row.email,
  first_name: row.firstName,
  last_name: row.lastName,
  country: row.country,
  role: row.role,
  permissions: [...effectivePermissions(row)],
  created_at: row.createdAt.toISOString(),
  updated_at: row.updatedAt.toISOString(),
})

export const nothing = z.null().meta({ description: 'No content.' })

export const toNewMember = (body: z.infer<z.ZodObject<typeof person>>) => ({
  userId: body.user_id,
  email: body.email,
  firstName: body.first_name,
  lastName: body.last_name,
  country: body.country ?? null,
})

const toPage = <Item, View>(message: string, page: Page<Item>, view: (item: Item) => View) => ({
  ...ok(message, page.items.map(view)),
  meta: { count: page.items.length, lastEvaluatedKey: page.nextCursor },
})

export const toOrganizationPage = (page: Page<Organization>): z.input<typeof organizationPage> =>
  toPage('Organisations, newest first.', page, toOrganization)

export const toMemberPage = (page: Page<Member>): z.input<typeof memberPage> =>
  toPage('Members, newest first.', page, toMemberView)
