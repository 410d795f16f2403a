import { z } from 'zod'

export const webhookParams = z.object({ provider: z.string().max(40), token: z.string().max(200) })
export const received = z.object({ status: z.literal('success'), message: z.string() })
