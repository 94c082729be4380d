// Sentences of the offline text generator. {t} is the topic, {u} a second one; neither is ever the subject
// of a verb, so that singular and plural both fit.

type Phrases = readonly [string, ...string[]];

export const openers: Phrases = [
  'Good question — with {t}, it helps to start from what you want to achieve.',
  'The short version: for {t}, the basics matter more than any single trick.',
  'Let me take {t} step by step.',
  'There is a lot to say about {t}, so I will stick to what is most useful.',
  'Happy to help with {t}.',
  'When people ask about {t}, they usually mean one of two things, and both are worth a look.',
  'Here is how I would think about {t}.',
  'At its heart, the question of {t} comes down to a trade-off.',
  'Thanks for asking about {t}; here is a compact answer.',
  'To understand {t}, it is easiest to begin with a concrete case.',
];

export const bodies: Phrases = [
  'The first thing to look at in {t} is the goal: once it is clear, most other decisions follow from it.',
  'A common mistake with {t} is to optimise too early, before anybody has measured what actually happens.',
  'In practice, {u} often plays a bigger role than newcomers expect.',
  'Small, frequent steps beat one large leap, because each of them can be checked and corrected.',
  'If you compare several approaches to {t}, write down the criteria first; otherwise the loudest option wins.',
  'What makes {t} interesting is that simple rules can lead to surprisingly rich results.',
  'It is worth separating what is known about {t} from what is merely repeated.',
  'Experts tend to disagree about the details, yet they agree on the broad outline.',
  'Context changes everything here: the same choice can be right in one setting and wrong in the next.',
  'A useful rule of thumb is to spend the first tenth of your time on understanding the problem.',
  'Think of {t} as a system with inputs, a process and outputs — then ask where it could break.',
  'Historically, ideas about {t} developed slowly and then changed almost overnight.',
  'The cost of getting {u} wrong is usually paid later, which is why it is so easy to ignore.',
  'You can learn a great deal from a naïve first attempt, as long as you keep notes.',
  'Behind most debates about {t} there is a hidden question of time: what is good this week may be poor over ten years.',
  'Good tools help with {t}, but habits help more.',
  'Measure before and after; without numbers it is hard to tell progress from activity.',
  'Feedback is the engine of improvement here, so arrange for it to arrive quickly.',
  'There is also a social side to {t}: who takes part, who decides, and who carries the risk.',
  'One way to test your understanding of {t} is to explain it to someone who has never heard of it.',
  'The literature on {t} is large, but a handful of ideas come up again and again.',
  'Exceptions exist, of course, and they are often the most instructive part.',
  'If resources are scarce, begin with {u} and leave the rest for a second round.',
  'Seen from a distance, {t} and {u} belong together more closely than their names suggest.',
  'Quality comes from removing what is not needed as much as from adding what is.',
  'A diagram on a single page will show you where {t} gets complicated.',
  'Most failures around {t} are quiet: nothing crashes, things only get a little slower and a little harder.',
  'Be sceptical of any account of {t} that has no uncertainty in it.',
  'The best time to ask a simple question is at the beginning; the second-best time is now.',
  'Over the years the vocabulary has shifted, so older sources on {t} need a careful reading.',
  'Scale matters: what works for ten rarely works unchanged for ten thousand.',
  'It pays to look at neighbouring fields, because someone has often solved half of the problem already.',
  'Once the routine around {t} is in place, the remaining effort becomes predictable.',
  'Curiosity is a better guide through {t} than any fixed curriculum.',
  'Keep an eye on the boundary conditions, since that is where {u} tends to surprise people.',
  'None of this requires special equipment, only patience and a willingness to start again.',
];

export const examples: Phrases = [
  'For example, a small team could try {t} for two weeks, compare notes, and only then decide.',
  'Imagine explaining {t} to a friend over coffee: the parts you would leave out are probably optional.',
  'Take a typical Tuesday: five minutes spent on {u} in the morning can save an hour in the afternoon.',
  'A café owner I could describe here would care about {t} for one reason only — it keeps the regulars coming back.',
  'As a rough illustration, if {t} took 10 hours before, a careful review often brings it down to 7 or 8.',
];

export const closers: Phrases = [
  'If you tell me more about your situation, I can be more specific.',
  'Would you like me to go deeper into {u}?',
  'I hope that gives you a clear starting point.',
  'Start small, look at what happens, and adjust from there.',
  'Shall I turn this into a short checklist?',
  'That is the essence of it; everything else is detail.',
  'Let me know which part of {t} matters most to you.',
];

export const points: Phrases = [
  '**Goal** — say in one sentence what {t} should achieve.',
  '**Basics** — get the fundamentals of {t} right before anything clever.',
  '**Feedback** — find a quick way to see whether it works.',
  '**People** — agree on who decides about {u}.',
  '**Time** — plan a second round; the first is for learning.',
  '**Risk** — ask what could go wrong with {t}, and how you would notice.',
  '**Cost** — compare the price of acting with the price of waiting.',
  '**Notes** — write down what you tried and what you learned about {u}.',
  '**Limits** — decide in advance when to stop.',
  '**Review** — come back to {t} after a week with fresh eyes.',
];

export const steps: Phrases = [
  'Describe the result you want from {t}.',
  'Collect what you already have, including anything about {u}.',
  'Try the simplest version first.',
  'Check the result against the goal.',
  'Improve one thing at a time.',
  'Write down what worked, so that {t} is easier next time.',
];

export const firstThoughts: Phrases = [
  'The user is asking about {t}.',
  'So this is about {t}.',
  'Let me first make sure I understand what is meant by {t}.',
];

export const thoughts: Phrases = [
  'There are several angles here: the definition, the practical side, and how {u} fits in.',
  'I should keep the answer clear and not too long.',
  'One thing to check is whether {u} changes the picture.',
  'A concrete example would make this easier to follow.',
  'I could start with the general idea and then narrow it down.',
  'The strongest point is probably the practical one, so I will lead with it.',
  'I want to avoid claiming more than is known about {t}.',
  'Considering the alternatives, a structured answer seems best.',
  'Nothing in the conversation contradicts that reading.',
  'Someone who asks about {t} may also wonder about {u}, but that can wait.',
];

export const lastThoughts: Phrases = [
  'That settles it; now I can write the reply.',
  'Good, that is enough to answer.',
  'I will answer along these lines.',
];

export const headings: Phrases = [
  'Where it begins',
  'What matters in practice',
  'A closer look',
  'Common misunderstandings',
  'Looking ahead',
  'What to take away',
];

export const greetings: Phrases = [
  'Hello{name}! How can I help you today?',
  'Hi{name}, nice to meet you! What can I do for you?',
  'Hello{name} 👋 What would you like to talk about?',
  'Good to see you{name}! What is on your mind?',
  'Hey{name}! I am ready when you are 🙂',
];

export const thanks: Phrases = [
  'You are welcome{name}! Let me know if anything else comes up.',
  'My pleasure{name} 🙂 Is there anything else I can do?',
  'Glad I could help{name}!',
];

export const emojis: Phrases = ['🙂', '🌱', '✨', '🚀', '📌', '🎯', '🌍', '💡', '🧭', '🎉', '👩‍💻'];

/** For a prompt without a telling word. */
export const fallbackTopics: Phrases = ['this', 'your question', 'what you describe'];
export const fallbackSecondTopics: Phrases = [
  'the details',
  'timing',
  'the surroundings',
  'preparation',
  'the first impression',
];
