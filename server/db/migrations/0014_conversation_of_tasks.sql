-- A task's state named the client's conversation "session", the word for a terminal.
UPDATE tasks SET state = json_remove(
  json_set(
    state,
    '$.conversationId', json_extract(state, '$.sessionId'),
    '$.lostConversations', json_extract(state, '$.lostSessions')
  ),
  '$.sessionId', '$.lostSessions'
) WHERE json_valid(state) AND json_type(state, '$.sessionId') IS NOT NULL;
