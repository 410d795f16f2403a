import { z } from 'zod'
import { installationOrgId } from '../../../../kernel/db/vault.ts'
import { dateTime, ok, shortText, success, uuid } from '../../../../lib/requests/wire.ts'
import type { MaintenanceWindow } from './record.ts'

const longestMs = 31 * 24 * 60 * 60_000

export const createWindowBody = z
  .object({
    account_id: uuid,
    starts_at: dateTime.meta({ example: '2036-03-01T01:00:00.000Z' }),
    ends_at: dateTime.meta({ example: '2036-03-01T03:00:00.000Z' }),
    reason: shortText.nullish(),
  })
  .refine(({ starts_at, ends_at }) => Date.parse(ends_at) > Date.parse(starts_at), {
    path: ['ends_at'],
    message: 'must be after starts_at',
  })
  .refine(({ starts_at, ends_at }) => Date.parse(ends_at) - Date.parse(starts_at) <= longestMs, {
    path: ['ends_at'],
    message: 'must be at most 31 days after starts_at',
  })

export const nothing = z.null().meta({ description: 'Deleted.' })

export const windowParams = z.object({ window_id: uuid })

const maintenanceWindow = z
  .object({
    window_id: uuid,
    account_id: uuid,
    provider: z.string(),
    org_id: uuid
      .nullable()
      .meta({ description: 'The owner of the account; null for an account of the installation.' }),
    starts_at: dateTime,
    ends_at: dateTime,
    reason: z.string().nullable(),
    created_by: z.string().nullable(),
    created_at: dateTime,
  })
  .meta({ id: 'MaintenanceWindow' })

export const windowResponse = success(maintenanceWindow)
export const windowsResponse = success(z.object({ windows: z.array(maintenanceWindow) }))

export const fromWindow = (
  body: z.infer<typeof createWindowBody>,
): Pick<MaintenanceWindow, 'accountId' | 'startsAt' | 'endsAt' | 'reason'> => ({
  accountId: body.account_id,
  startsAt: new Date(body.starts_at),
  endsAt: new Date(body.ends_at),
  reason: body.reason ?? null,
})

/** Organisations do not see who scheduled a window of the installation. */
export const toWindow = (window: MaintenanceWindow): z.input<typeof maintenanceWindow> => {
  const isInstallation = window.orgId === installationOrgId
  return {
    window_id: window.windowId,
    account_id: window.accountId,
    provider: window.provider,
    org_id: isInstallation ? null : window.orgId,
    starts_at: window.startsAt.toISOString(),
    ends_at: window.endsAt.toISOString(),
    reason: window.reason,
    created_by: isInstallation ? null : window.createdBy,
    created_at: window.createdAt.toISOString(),
  }
}

export const toWindows = (windows: readonly MaintenanceWindow[]): z.input<typeof windowsResponse> =>
  ok('Maintenance windows that have not ended, the next one first.', { windows: windows.map(toWindow) })
