import pg from 'pg'

export interface RecordedStatement {
  text: string
  values: unknown[]
}

/** Records the statements with parameters that this process sends while the work runs. */
export async function recordStatements<T>(
  work: () => Promise<T>,
): Promise<{ result: T; statements: RecordedStatement[] }> {
  const statements: RecordedStatement[] = []
  // oxlint-disable-next-line typescript/unbound-method -- it is called with its client below
  const original = pg.Client.prototype.query
  // Called with many signatures, all of which are passed on unchanged.
  pg.Client.prototype.query = function record(this: pg.Client, ...parameters: unknown[]): unknown {
    const [config] = parameters
    if (isStatement(config)) statements.push({ text: config.text, values: [...config.values] })
    return Reflect.apply(original, this, parameters)
  } as typeof original // the same signatures as the original, to which it delegates
  try {
    return { result: await work(), statements }
  } finally {
    pg.Client.prototype.query = original
  }
}

const isStatement = (config: unknown): config is RecordedStatement =>
  typeof config === 'object' &&
  config !== null &&
  'text' in config &&
  'values' in config &&
  Array.isArray(config.values)
