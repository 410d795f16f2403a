import { z } from 'zod'
import { uuid } from '../../../../lib/requests/wire.ts'

const comment = z.string().trim().min(1).max(1000)
export const assignBody = z.object({ account_id: uuid, comment: comment.nullish() })
export const returnBody = z.object({ comment })
