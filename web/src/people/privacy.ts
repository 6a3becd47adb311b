import type { Text } from "../lib/types";

/** What the data page says. Whoever changes what is kept changes this. */
export const PRIVACY: { title: Text; points: Text[] }[] = [
  {
    title: { pt: "De quem joga sem cartão", en: "Of who plays without a card" },
    points: [
      {
        pt: "Um número, um cookie sem nome (só se guarda um resumo dele que não permite reconstruí-lo), o último dia em que cá esteve e, se quiser, um nome que escolhe.",
        en: "A number, a nameless cookie (only a digest of it is kept, from which it cannot be rebuilt), the last day they were here and, if they like, a name they choose.",
      },
      { pt: "As partidas que jogou e o que fez das lições e dos problemas.", en: "The games they played, and how they got on with lessons and puzzles." },
      { pt: "Ao fim de 400 dias sem aparecer, tudo é apagado.", en: "After 400 days without a visit everything is erased." },
    ],
  },
  {
    title: { pt: "De um aluno com cartão", en: "Of a pupil with a card" },
    points: [
      {
        pt: "O nome, a escola, a turma e o ciclo, como o professor os escreveu. Não há e-mail, morada, data de nascimento nem fotografia.",
        en: "Name, school, class and cycle, as the teacher wrote them. There is no e-mail, address, date of birth or photograph.",
      },
      { pt: "Um resumo do cartão, que não permite refazê-lo, e os aparelhos em que entrou.", en: "A digest of the card, from which it cannot be made again, and the devices where they are signed in." },
      { pt: "As partidas, os resultados e a força que deles se calcula em cada jogo.", en: "Games, results, and the rating in each game that is worked out from them." },
      {
        pt: "De cada tarefa de uma lição ou de um problema: se a resolveu, quantas vezes se enganou, a primeira jogada errada e as ajudas que pediu.",
        en: "Of each task of a lesson or puzzle: whether they solved it, how often they were wrong, the first wrong move and the hints they asked for.",
      },
      { pt: "O que escolheu nas votações da turma, durante uma semana; a turma só vê quantos escolheram o quê.", en: "What they chose in votes of the class, for a week; the class sees only how many chose what." },
      { pt: "O dia em que apareceu pela última vez.", en: "The day they were last here." },
      {
        pt: "Num campeonato: em que provas entrou, os resultados e, se for preciso, se joga em mesa fixa, com letra grande ou com acompanhante, o que só os árbitros veem.",
        en: "In a championship: the events they entered, the results and, where needed, whether they play at a fixed table, with large print or with a helper, which only arbiters see.",
      },
    ],
  },
  {
    title: { pt: "De professores e de quem organiza", en: "Of teachers and organisers" },
    points: [
      {
        pt: "O nome e, se o escolherem, um nome de utilizador e um resumo da palavra-passe (argon2id).",
        en: "Name and, if they choose one, a user name and a digest of the password (argon2id).",
      },
      {
        pt: "Os conjuntos de tarefas que fazem, com as suas lições.",
        en: "The sets of tasks that they make, with their own lessons.",
      },
      {
        pt: "Um registo do que fazem com os dados dos outros, só com números, que ninguém pode mudar.",
        en: "A record of what they do with others' data, by numbers only, that nobody can change.",
      },
    ],
  },
  {
    title: { pt: "Quem vê o quê", en: "Who sees what" },
    points: [
      {
        pt: "Os colegas da turma veem o primeiro nome e a inicial (ou o nome, se quem organiza o quiser), se está cá e o que joga. Quem não entrou com cartão nunca vê, desafia nem assiste a alunos de uma turma.",
        en: "People of the class see first name and initial (or the name, if the organiser wants it), whether somebody is here and what they play. Who is not signed in never sees, challenges or watches pupils of a class.",
      },
      {
        pt: "O percurso de um aluno é visto por ele, pelos seus professores e por quem organiza este servidor.",
        en: "A pupil's games and ratings are seen by the pupil, their teachers and the organiser of this server.",
      },
      {
        pt: "As primeiras jogadas e o resultado das partidas acabadas contam no explorador de aberturas, sem nomes nem datas, e só onde passaram pelo menos três partidas. O que se apaga deixa de contar.",
        en: "The first moves and the result of finished games count in the opening explorer, without names or dates, and only where at least three games came through. What is erased counts no more.",
      },
      { pt: "Não há mensagens nem conversas, e nada sai deste servidor.", en: "There are no messages or chats, and nothing leaves this server." },
    ],
  },
  {
    title: { pt: "Apagar e levar", en: "Erase and take along" },
    points: [
      {
        pt: "No teu percurso podes guardar tudo o que há sobre ti num ficheiro, ou apagá-lo de vez. As partidas com outros ficam para eles, com «jogador apagado».",
        en: "On the page of your games you can save everything about you in a file, or erase it for good. Games with others stay for them, with an “erased player”.",
      },
      {
        pt: "Um professor pode remover um aluno: durante sete dias pode voltar atrás, depois tudo é apagado.",
        en: "A teacher can remove a pupil: for seven days that can be undone, then everything is erased.",
      },
      {
        pt: "Quem não aparece durante 13 meses (ou o tempo que quem organiza escolher) é apagado sozinho.",
        en: "Who does not come for 13 months (or the time that the organiser chooses) is erased without being asked.",
      },
      {
        pt: "Quem foi apagado continua apagado mesmo quando se repõe uma cópia antiga da base de dados.",
        en: "Who was erased stays erased even when an old copy of the database is put back.",
      },
    ],
  },
];
