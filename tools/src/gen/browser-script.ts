import { join } from 'node:path'
import { rolldown } from 'rolldown'

const root = join(import.meta.dirname, '../../..')

/** The script of the payment page in one small file, so that a server needs no bundler. */
export async function browserScript(): Promise<string> {
  const bundle = await rolldown({ input: join(root, 'checkout/src/browser/checkout.ts') })
  const { output } = await bundle.generate({ format: 'es', minify: true })
  await bundle.close()
  return output[0].code
}
