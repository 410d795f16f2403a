import { join } from 'node:path'
import { rolldown } from 'rolldown'

const root = join(import.meta.dirname, '../../..')

/** Bundles the script of the payment page into one file, so that the server needs no bundler. */
export async function browserScript(): Promise<string> {
  const bundle = await rolldown({ input: join(root, 'checkout/src/browser/checkout.ts') })
  const { output } = await bundle.generate({ format: 'es', minify: true })
  await bundle.close()
  return output[0].code
}
