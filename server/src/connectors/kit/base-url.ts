import { z } from 'zod'

/** A provider's address; its sandbox and our simulator have others. */
export const baseUrlSchema = (address: string) =>
  z
    .url({ protocol: /^https?$/ })
    .default(address)
    .transform((url) => url.replace(/\/+$/, ''))
