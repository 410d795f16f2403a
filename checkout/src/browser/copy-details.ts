const shownMs = 2_000

const valueOf = (element: HTMLElement): string =>
  element.dataset['value'] ?? (element.textContent ?? '').trim()

function offerCopy(button: HTMLButtonElement, text: () => string): void {
  const label = button.textContent
  button.hidden = false
  button.addEventListener('click', () => {
    navigator.clipboard.writeText(text()).then(
      () => {
        button.textContent = button.dataset['copied'] ?? ''
        setTimeout(() => (button.textContent = label), shownMs)
      },
      () => undefined,
    )
  })
}

/** Copies one detail of a transfer, or all of them as lines. */
export function copyDetails(): void {
  if (!('clipboard' in navigator)) return
  for (const button of document.querySelectorAll<HTMLButtonElement>('[data-copy]')) {
    const element = document.querySelector<HTMLElement>(`#${button.dataset['copy'] ?? ''}`)
    if (element) offerCopy(button, () => valueOf(element))
  }
  const all = document.querySelector<HTMLButtonElement>('[data-copy-all]')
  if (all) offerCopy(all, allDetails)
}

const allDetails = (): string =>
  [...document.querySelectorAll('.details > div')]
    .map((row) => {
      const value = row.querySelector<HTMLElement>('bdi')
      return `${(row.querySelector('dt')?.textContent ?? '').trim()}: ${value ? valueOf(value) : ''}`
    })
    .join('\n')
