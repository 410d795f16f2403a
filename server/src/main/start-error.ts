/** Why a process cannot start, as sentences for the operator. It is printed without a stack. */
export class StartError extends Error {
  override readonly name = 'StartError'

  constructor(sentences: readonly string[]) {
    super(sentences.join('\n'))
  }
}
