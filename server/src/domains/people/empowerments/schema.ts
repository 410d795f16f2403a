import { z } from 'zod'
import { success, uuid } from '../../../lib/requests/wire.ts'

export const memberParams = z.object({ org_id: uuid, user_id: z.string().min(1).max(255) })
export const confirmResponse = success(z.object({ user_id: z.string(), confirmed_by: z.string() }))
