import { z } from 'zod'
import { success, uuid } from '../../../lib/requests/wire.ts'

export const orgParams = z.object({ org_id: uuid })
export const dataKeyResponse = success(z.object({ data_key_id: uuid }))
