import type { App } from '../../../http/app.ts'
import { errors, ok } from '../../../lib/requests/wire.ts'
import { rotateDataKey } from './rotate-data-key.ts'
import { dataKeyResponse, orgParams } from './schema.ts'

export function dataKeyRoutes(app: App, deps: Parameters<typeof rotateDataKey>[0]): void {
  app.post(
    '/v1/organizations/:org_id/data-keys/rotate',
    {
      config: {
        access: { permission: 'organizations:write' },
        control: 'none: it changes how records are encrypted, and nothing else',
      },
      schema: {
        tags: ['Organisations'],
        operationId: 'dataKeys.rotate',
        description:
          'New data is encrypted under the new key at once. Re-encryption of older data runs in the background and changes no answer of the API.',
        summary: 'Rotate the data key; existing personal data is re-encrypted in the background',
        params: orgParams,
        response: { 200: dataKeyResponse, ...errors() },
      },
    },
    async ({ caller, params }) => {
      const { dataKeyId } = await rotateDataKey(deps, caller, { orgId: params.org_id })
      return ok('New data is sealed under a new key.', { data_key_id: dataKeyId })
    },
  )
}
