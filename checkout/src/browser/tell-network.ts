const digitsOf = (text: string): string => text.replaceAll(/\D/g, '')

/** The number without its calling code, for the field that shows the code in front of it. */
function nationalOf(text: string, code: string): string {
  const plain = text.trim()
  const digits = digitsOf(plain)
  const isInternational = plain.startsWith('+') || plain.startsWith('00')
  const international = plain.startsWith('00') ? digits.slice(2) : digits
  return isInternational && code !== '' && international.startsWith(code)
    ? international.slice(code.length)
    : digits
}

function optionFor(select: HTMLSelectElement, national: string): HTMLOptionElement | undefined {
  const numbers = national.startsWith('0') ? [national, national.slice(1)] : [national]
  const matches = [...select.options].flatMap((option) =>
    (option.dataset['prefixes'] ?? '')
      .split(' ')
      .filter((prefix) => prefix !== '' && numbers.some((number) => number.startsWith(prefix)))
      .map((prefix) => ({ option, length: prefix.length })),
  )
  return matches.sort((a, b) => b.length - a.length)[0]?.option
}

/** Selects the network that the number's first digits suggest, until the payer chooses one. */
export function tellNetwork(): void {
  const phone = document.querySelector<HTMLInputElement>('[data-phone]')
  const select = document.querySelector<HTMLSelectElement>('[data-network]')
  const told = document.querySelector<HTMLElement>('[data-told]')
  if (!phone || !select || !told) return
  const code = digitsOf(document.querySelector('#phone-prefix')?.textContent ?? '')
  const first = select.options[0]
  const canTell = first?.value === ''
  let isChosen = select.value !== ''
  const tell = (): void => {
    if (!canTell || isChosen) return
    const option = optionFor(select, nationalOf(phone.value, code))
    select.value = option?.value ?? ''
    told.textContent = option ? (told.dataset['told'] ?? '') : ''
    select.dispatchEvent(new Event('input'))
  }
  phone.addEventListener('input', tell)
  phone.addEventListener('change', () => {
    if (/^\s*(?:\+|00)/.test(phone.value)) {
      const national = nationalOf(phone.value, code)
      if (national !== digitsOf(phone.value)) phone.value = national
    }
    tell()
  })
  select.addEventListener('change', () => {
    isChosen = select.value !== ''
    told.textContent = ''
  })
  tell()
}
