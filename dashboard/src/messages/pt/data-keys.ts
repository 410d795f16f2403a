import type { Translated } from '../translated.ts'
import type { dataKeys as english } from '../en/data-keys.ts'

export const dataKeys: Translated<typeof english> = {
  title: 'Chave dos dados',
  text: 'Os nomes, os números e os outros dados pessoais da sua organização são cifrados com uma chave própria. Após uma renovação, os novos dados utilizam de imediato a nova chave e os mais antigos são cifrados de novo em segundo plano. Nada mais muda.',
  rotate: 'Renovar a chave',
  confirmTitle: 'Renovar a chave dos dados?',
  confirmText: 'A API continua a funcionar e nenhuma resposta muda. Fica registado no registo de auditoria.',
  submit: 'Renovar',
  done: 'Os novos dados são cifrados com uma nova chave.',
  current: 'Nova chave',
}
