import { z } from 'zod'

/**
 * A request may leave up to 45 seconds after its attempt was written, and its call may take a minute. Before both are
 * over, "not found" proves nothing, whatever an operator configures.
 */
const leastMs = 300_000

export const notFoundWindowSchema = z.int().min(leastMs).default(900_000)
